package dev.berth.sandbox.controller.statefulset;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.informer.InformerCache;
import dev.berth.sandbox.controller.util.ControllerContext;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.OwnerReference;
import dev.berth.sandbox.unstructured.SemanticEquality;
import java.util.List;
import java.util.Optional;

/** The PersistentVolumeClaims of a StatefulSet: created before the pod, with owners by the retention policy. */
final class StatefulSetClaims {
    private final ControllerContext controllerContext;
    private final StatefulSetView set;
    private final InformerCache claims;

    StatefulSetClaims(ControllerContext controllerContext, StatefulSetView set) {
        this.controllerContext = controllerContext;
        this.set = set;
        this.claims = controllerContext.cacheFor(RestMapping.PERSISTENT_VOLUME_CLAIMS);
    }

    /** Creates the missing claims of the pod. Returns false while a claim is being deleted. */
    boolean createMissing(int ordinal) {
        boolean usable = true;
        for (ObjectNode template : set.claimTemplates()) {
            Optional<ObjectNode> present = find(template, ordinal);
            if (present.isEmpty()) {
                create(template, ordinal);
            } else {
                usable &= !ObjectMetaReader.isTerminating(present.get());
            }
        }
        return usable;
    }

    private Optional<ObjectNode> find(ObjectNode template, int ordinal) {
        return claims.get(set.namespace(), PodIdentity.claimName(set, template, ordinal));
    }

    private void create(ObjectNode template, int ordinal) {
        ObjectNode claim = template.deepCopy();
        claim.put("apiVersion", "v1").put("kind", "PersistentVolumeClaim").remove("status");
        ObjectNode metadata = NestedFields.getOrCreateObject(claim, "metadata");
        metadata.put("name", PodIdentity.claimName(set, template, ordinal)).put("namespace", set.namespace());
        ObjectNode labels = NestedFields.getOrCreateObject(metadata, "labels");
        NestedFields.map(set.object(), "spec", "selector", "matchLabels").forEach(labels::put);
        String subject = "Claim %s Pod %s in StatefulSet %s"
                .formatted(ObjectMetaReader.name(claim), PodIdentity.name(set, ordinal), set.name());
        try {
            controllerContext.writeThroughClient().create(RestMapping.PERSISTENT_VOLUME_CLAIMS, claim);
            controllerContext.recordNormal(set.object(), "SuccessfulCreate", "Create %s success".formatted(subject));
        } catch (ApiException e) {
            if (!e.isAlreadyExists()) {
                controllerContext.recordWarning(
                        set.object(), "FailedCreate", "Create %s failed error: %s".formatted(subject, e.getMessage()));
            }
            throw e;
        }
    }

    /** Whether a claim still belongs to the previous pod of the ordinal and is deleted with it. */
    boolean isStale(int ordinal) {
        return set.deletesClaimsWhenScaled()
                && set.claimTemplates().stream()
                        .flatMap(template -> find(template, ordinal).stream())
                        .anyMatch(claim -> ObjectMetaReader.ownerReferences(claim).stream()
                                .anyMatch(owner -> names(owner, "Pod", PodIdentity.name(set, ordinal))));
    }

    /**
     * Makes the set, the pod or no object the owner of the claims of the pod, by the retention policy. Claims with an
     * old owner or another controller stay unchanged.
     */
    void assignOwners(ObjectNode pod, int ordinal) {
        for (ObjectNode template : set.claimTemplates()) {
            Optional<ObjectNode> claim = find(template, ordinal);
            if (claim.isPresent() && !hasForeignOwner(claim.get(), pod)) {
                assignOwners(claim.get(), pod, ordinal);
            }
        }
    }

    private void assignOwners(ObjectNode claim, ObjectNode pod, int ordinal) {
        boolean scaledDown = !set.containsOrdinal(ordinal);
        boolean toPod = set.deletesClaimsWhenScaled() && scaledDown;
        boolean toSet = set.deletesClaimsWhenDeleted() && !toPod;
        ArrayNode wanted = NestedFields.newArray();
        List<OwnerReference> present = ObjectMetaReader.ownerReferences(claim);
        present.stream()
                .filter(owner -> !owns(owner, set.object()) && !owns(owner, pod))
                .forEach(owner -> wanted.add(owner.toJson()));
        if (toPod) {
            wanted.add(OwnerReference.controllerReference(pod).toJson());
        }
        if (toSet) {
            wanted.add(OwnerReference.controllerReference(set.object()).toJson());
        }
        if (!SemanticEquality.areEqual(NestedFields.at(claim, "metadata", "ownerReferences"), wanted)) {
            ObjectNode changed = claim.deepCopy();
            NestedFields.getOrCreateObject(changed, "metadata").set("ownerReferences", wanted);
            controllerContext.writeThroughClient().update(RestMapping.PERSISTENT_VOLUME_CLAIMS, changed);
        }
    }

    private boolean hasForeignOwner(ObjectNode claim, ObjectNode pod) {
        return ObjectMetaReader.ownerReferences(claim).stream()
                .filter(owner -> !owns(owner, set.object()) && !owns(owner, pod))
                .anyMatch(owner -> owner.controller()
                        || names(owner, "StatefulSet", set.name())
                        || names(owner, "Pod", ObjectMetaReader.name(pod)));
    }

    private static boolean owns(OwnerReference owner, ObjectNode object) {
        return owner.uid().equals(ObjectMetaReader.uid(object));
    }

    private static boolean names(OwnerReference owner, String kind, String name) {
        return owner.kind().equals(kind) && owner.name().equals(name);
    }
}
