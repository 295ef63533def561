package dev.berth.embedded.workload.statefulset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.DeleteOptions;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.OwnerReference;
import dev.berth.embedded.workload.control.Ownership;
import dev.berth.embedded.workload.control.TemplateHash;
import dev.berth.embedded.workload.control.Workspace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The templates that a StatefulSet had, as ControllerRevisions. */
final class History {
    private static final int LONGEST_PREFIX = 223;

    private final Workspace workspace;
    private final StatefulSetView set;
    private final List<Revision> revisions;
    private int collisions;

    History(Workspace workspace, StatefulSetView set) {
        this.workspace = workspace;
        this.set = set;
        this.collisions = Json.number(set.object(), 0, "status", "collisionCount");
        Ownership ownership = new Ownership(
                workspace.writes(),
                Resource.STATEFUL_SETS,
                set.object(),
                Resource.REVISIONS,
                Ownership.bySelector(set.object()));
        Collection<ObjectNode> candidates =
                workspace.mirrors().of(Resource.REVISIONS).in(set.namespace());
        this.revisions = new ArrayList<>(ownership.claim(candidates).stream()
                .map(Revision::new)
                .sorted(Revision.ORDER)
                .toList());
    }

    int collisions() {
        return collisions;
    }

    /** The revision of the present template, made or renumbered when it is not the last one. */
    Revision update() {
        ObjectNode data = Revision.dataOf(set);
        List<Revision> equal =
                revisions.stream().filter(each -> each.holds(data)).toList();
        if (equal.isEmpty()) {
            return create(data);
        }
        Revision newest = equal.get(equal.size() - 1);
        Revision last = revisions.get(revisions.size() - 1);
        return last.holds(data) ? last : renumber(newest);
    }

    /** The revision that pods have which are not updated yet. */
    Revision current(Revision update) {
        String name = Json.text(set.object(), "status", "currentRevision");
        return revisions.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElse(update);
    }

    private long nextNumber() {
        return revisions.isEmpty() ? 1 : revisions.get(revisions.size() - 1).number() + 1;
    }

    /** Going back to an older template makes it the newest. */
    private Revision renumber(Revision older) {
        ObjectNode changed = Json.copy(older.object());
        changed.put("revision", nextNumber());
        Revision newest = new Revision(workspace.writes().update(Resource.REVISIONS, changed));
        revisions.remove(older);
        revisions.add(newest);
        return newest;
    }

    private Revision create(ObjectNode data) {
        while (true) {
            ObjectNode wanted = newRevision(data);
            try {
                return added(workspace.writes().create(Resource.REVISIONS, wanted));
            } catch (ApiException e) {
                if (!e.alreadyExists()) {
                    throw e;
                }
                Optional<ObjectNode> taken = workspace.writes().client().find(Address.of(Resource.REVISIONS, wanted));
                if (taken.isPresent() && new Revision(taken.get()).holds(data)) {
                    return added(taken.get());
                }
                collisions++;
            }
        }
    }

    private Revision added(ObjectNode created) {
        Revision revision = new Revision(created);
        revisions.add(revision);
        return revision;
    }

    private ObjectNode newRevision(ObjectNode data) {
        String hash = TemplateHash.of(data, collisions);
        String prefix = set.name().length() > LONGEST_PREFIX ? set.name().substring(0, LONGEST_PREFIX) : set.name();
        ObjectNode revision = Json.object().put("apiVersion", "apps/v1").put("kind", "ControllerRevision");
        ObjectNode metadata = revision.putObject("metadata");
        metadata.put("name", prefix + "-" + hash).put("namespace", set.namespace());
        ObjectNode labels = Json.copyOf(set.object(), "spec", "template", "metadata", "labels");
        metadata.set("labels", labels.put("controller.kubernetes.io/hash", hash));
        metadata.set("annotations", Json.copyOf(set.object(), "metadata", "annotations"));
        metadata.putArray("ownerReferences")
                .add(OwnerReference.controlledBy(set.object()).toJson());
        revision.set("data", data);
        return revision.put("revision", nextNumber());
    }

    /** Deletes what no pod has and no update needs, beyond the number to be kept. */
    void truncate(Collection<ObjectNode> pods, Revision current, Revision update) {
        Set<String> live = new HashSet<>(List.of(current.name(), update.name()));
        pods.forEach(pod -> live.add(Identity.revision(pod)));
        List<Revision> idle =
                revisions.stream().filter(each -> !live.contains(each.name())).toList();
        int surplus = idle.size() - set.revisionHistoryLimit();
        for (Revision revision : idle.subList(0, Math.max(0, surplus))) {
            workspace.writes().delete(Resource.REVISIONS, revision.object(), DeleteOptions.only(revision.object()));
        }
    }
}
