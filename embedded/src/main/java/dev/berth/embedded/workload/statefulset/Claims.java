package dev.berth.embedded.workload.statefulset;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.OwnerReference;
import dev.berth.embedded.workload.control.Workspace;
import java.util.List;
import java.util.Optional;

/** The volume claims of a StatefulSet's pods: made before the pod, and given to whoever takes them along when it goes. */
final class Claims {
    private final Workspace workspace;
    private final StatefulSetView set;
    private final Cache claims;

    Claims(Workspace workspace, StatefulSetView set) {
        this.workspace = workspace;
        this.set = set;
        this.claims = workspace.mirrors().of(Resource.CLAIMS);
    }

    /** Makes the claims of the pod that are missing. Waits, by returning false, for one that is being deleted. */
    boolean ensure(int ordinal) {
        boolean usable = true;
        for (ObjectNode template : set.claimTemplates()) {
            Optional<ObjectNode> present = find(template, ordinal);
            if (present.isEmpty()) {
                create(template, ordinal);
            } else {
                usable &= !Meta.terminating(present.get());
            }
        }
        return usable;
    }

    private Optional<ObjectNode> find(ObjectNode template, int ordinal) {
        return claims.get(set.namespace(), Identity.claimName(set, template, ordinal));
    }

    private void create(ObjectNode template, int ordinal) {
        ObjectNode claim = Json.copy(template);
        claim.put("apiVersion", "v1").put("kind", "PersistentVolumeClaim").remove("status");
        ObjectNode metadata = Json.child(claim, "metadata");
        metadata.put("name", Identity.claimName(set, template, ordinal)).put("namespace", set.namespace());
        ObjectNode labels = Json.child(metadata, "labels");
        Json.strings(set.object(), "spec", "selector", "matchLabels").forEach(labels::put);
        String subject = "Claim %s Pod %s in StatefulSet %s"
                .formatted(Meta.name(claim), Identity.name(set, ordinal), set.name());
        try {
            workspace.writes().create(Resource.CLAIMS, claim);
            workspace.normal(set.object(), "SuccessfulCreate", "Create %s success".formatted(subject));
        } catch (ApiException e) {
            if (!e.alreadyExists()) {
                workspace.warning(
                        set.object(), "FailedCreate", "Create %s failed error: %s".formatted(subject, e.getMessage()));
            }
            throw e;
        }
    }

    /** Whether a claim of the pod to be made still belongs to the pod before it and goes with that one. */
    boolean stale(int ordinal) {
        return set.deletesClaimsWhenScaled()
                && set.claimTemplates().stream()
                        .flatMap(template -> find(template, ordinal).stream())
                        .anyMatch(claim -> Meta.owners(claim).stream()
                                .anyMatch(owner -> names(owner, "Pod", Identity.name(set, ordinal))));
    }

    /**
     * Makes the set the owner of the pod's claims, or the pod, or nobody, as the retention policy says. Claims with an
     * owner of another time or another controller are left alone.
     */
    void assignOwners(ObjectNode pod, int ordinal) {
        for (ObjectNode template : set.claimTemplates()) {
            Optional<ObjectNode> claim = find(template, ordinal);
            if (claim.isPresent() && !foreign(claim.get(), pod)) {
                assignOwners(claim.get(), pod, ordinal);
            }
        }
    }

    private void assignOwners(ObjectNode claim, ObjectNode pod, int ordinal) {
        boolean scaledDown = !set.hasRoomFor(ordinal);
        boolean toPod = set.deletesClaimsWhenScaled() && scaledDown;
        boolean toSet = set.deletesClaimsWhenDeleted() && !toPod;
        ArrayNode wanted = Json.array();
        List<OwnerReference> present = Meta.owners(claim);
        present.stream()
                .filter(owner -> !owns(owner, set.object()) && !owns(owner, pod))
                .forEach(owner -> wanted.add(owner.toJson()));
        if (toPod) {
            wanted.add(OwnerReference.controlledBy(pod).toJson());
        }
        if (toSet) {
            wanted.add(OwnerReference.controlledBy(set.object()).toJson());
        }
        if (!Json.same(Json.at(claim, "metadata", "ownerReferences"), wanted)) {
            ObjectNode changed = Json.copy(claim);
            Json.child(changed, "metadata").set("ownerReferences", wanted);
            workspace.writes().update(Resource.CLAIMS, changed);
        }
    }

    private boolean foreign(ObjectNode claim, ObjectNode pod) {
        return Meta.owners(claim).stream()
                .filter(owner -> !owns(owner, set.object()) && !owns(owner, pod))
                .anyMatch(owner -> owner.controller()
                        || names(owner, "StatefulSet", set.name())
                        || names(owner, "Pod", Meta.name(pod)));
    }

    private static boolean owns(OwnerReference owner, ObjectNode object) {
        return owner.uid().equals(Meta.uid(object));
    }

    private static boolean names(OwnerReference owner, String kind, String name) {
        return owner.kind().equals(kind) && owner.name().equals(name);
    }
}
