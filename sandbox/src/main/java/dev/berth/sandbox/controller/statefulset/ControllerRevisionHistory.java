package dev.berth.sandbox.controller.statefulset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.controller.util.ControllerContext;
import dev.berth.sandbox.controller.util.ControllerRefManager;
import dev.berth.sandbox.controller.util.PodTemplateHash;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.OwnerReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The history of a StatefulSet as ControllerRevisions. */
final class ControllerRevisionHistory {
    private static final int MAX_NAME_PREFIX = 223;

    private final ControllerContext controllerContext;
    private final StatefulSetView set;
    private final List<ControllerRevision> revisions;
    private int collisions;

    ControllerRevisionHistory(ControllerContext controllerContext, StatefulSetView set) {
        this.controllerContext = controllerContext;
        this.set = set;
        this.collisions = NestedFields.intValue(set.object(), 0, "status", "collisionCount");
        ControllerRefManager controllerRefManager = new ControllerRefManager(
                controllerContext.writeThroughClient(),
                RestMapping.STATEFUL_SETS,
                set.object(),
                RestMapping.CONTROLLER_REVISIONS,
                ControllerRefManager.selectorPredicate(set.object()));
        Collection<ObjectNode> candidates =
                controllerContext.cacheFor(RestMapping.CONTROLLER_REVISIONS).listNamespace(set.namespace());
        this.revisions = new ArrayList<>(controllerRefManager.claim(candidates).stream()
                .map(ControllerRevision::new)
                .sorted(ControllerRevision.ORDER)
                .toList());
    }

    int collisions() {
        return collisions;
    }

    /** The revision of the current template; it is created, or renumbered if it is not the last. */
    ControllerRevision updateRevision() {
        ObjectNode data = ControllerRevision.dataOf(set);
        List<ControllerRevision> equal =
                revisions.stream().filter(each -> each.hasData(data)).toList();
        if (equal.isEmpty()) {
            return create(data);
        }
        ControllerRevision newest = equal.get(equal.size() - 1);
        ControllerRevision last = revisions.get(revisions.size() - 1);
        return last.hasData(data) ? last : renumber(newest);
    }

    /** The revision of pods that are not updated yet. */
    ControllerRevision currentRevision(ControllerRevision update) {
        String name = NestedFields.text(set.object(), "status", "currentRevision");
        return revisions.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElse(update);
    }

    private long nextNumber() {
        return revisions.isEmpty() ? 1 : revisions.get(revisions.size() - 1).number() + 1;
    }

    /** A rollback makes an older revision the newest. */
    private ControllerRevision renumber(ControllerRevision older) {
        ObjectNode changed = older.object().deepCopy();
        changed.put("revision", nextNumber());
        ControllerRevision newest = new ControllerRevision(
                controllerContext.writeThroughClient().update(RestMapping.CONTROLLER_REVISIONS, changed));
        revisions.remove(older);
        revisions.add(newest);
        return newest;
    }

    private ControllerRevision create(ObjectNode data) {
        while (true) {
            ObjectNode wanted = newRevision(data);
            try {
                return add(controllerContext.writeThroughClient().create(RestMapping.CONTROLLER_REVISIONS, wanted));
            } catch (ApiException e) {
                if (!e.isAlreadyExists()) {
                    throw e;
                }
                Optional<ObjectNode> taken = controllerContext
                        .writeThroughClient()
                        .client()
                        .find(ObjectLocation.of(RestMapping.CONTROLLER_REVISIONS, wanted));
                if (taken.isPresent() && new ControllerRevision(taken.get()).hasData(data)) {
                    return add(taken.get());
                }
                collisions++;
            }
        }
    }

    private ControllerRevision add(ObjectNode created) {
        ControllerRevision revision = new ControllerRevision(created);
        revisions.add(revision);
        return revision;
    }

    private ObjectNode newRevision(ObjectNode data) {
        String hash = PodTemplateHash.compute(data, collisions);
        String prefix = set.name().length() > MAX_NAME_PREFIX ? set.name().substring(0, MAX_NAME_PREFIX) : set.name();
        ObjectNode revision =
                NestedFields.newObject().put("apiVersion", "apps/v1").put("kind", "ControllerRevision");
        ObjectNode metadata = revision.putObject("metadata");
        metadata.put("name", prefix + "-" + hash).put("namespace", set.namespace());
        ObjectNode labels = NestedFields.copyOf(set.object(), "spec", "template", "metadata", "labels");
        metadata.set("labels", labels.put("controller.kubernetes.io/hash", hash));
        metadata.set("annotations", NestedFields.copyOf(set.object(), "metadata", "annotations"));
        metadata.putArray("ownerReferences")
                .add(OwnerReference.controllerReference(set.object()).toJson());
        revision.set("data", data);
        return revision.put("revision", nextNumber());
    }

    /** Deletes revisions without pods beyond the revision history limit. */
    void truncate(Collection<ObjectNode> pods, ControllerRevision current, ControllerRevision update) {
        Set<String> live = new HashSet<>(List.of(current.name(), update.name()));
        pods.forEach(pod -> live.add(PodIdentity.revision(pod)));
        List<ControllerRevision> idle =
                revisions.stream().filter(each -> !live.contains(each.name())).toList();
        int surplus = idle.size() - set.revisionHistoryLimit();
        for (ControllerRevision revision : idle.subList(0, Math.max(0, surplus))) {
            controllerContext
                    .writeThroughClient()
                    .delete(
                            RestMapping.CONTROLLER_REVISIONS,
                            revision.object(),
                            DeleteOptions.withUidOf(revision.object()));
        }
    }
}
