package dev.berth.sandbox.controller.statefulset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Duration;
import java.util.List;

/** Reads the spec of a StatefulSet. */
record StatefulSetView(ObjectNode object) {

    String name() {
        return ObjectMetaReader.name(object);
    }

    String namespace() {
        return ObjectMetaReader.namespace(object);
    }

    int replicas() {
        return NestedFields.intValue(object, 1, "spec", "replicas");
    }

    int startOrdinal() {
        return NestedFields.intValue(object, 0, "spec", "ordinals", "start");
    }

    boolean containsOrdinal(int ordinal) {
        return ordinal >= startOrdinal() && ordinal < startOrdinal() + replicas();
    }

    /** Whether pods wait for their predecessors. */
    boolean isOrdered() {
        return !NestedFields.text(object, "spec", "podManagementPolicy").equals("Parallel");
    }

    boolean updatesOnDelete() {
        return NestedFields.text(object, "spec", "updateStrategy", "type").equals("OnDelete");
    }

    /** Pods with an ordinal below the partition keep the current revision. */
    int partition() {
        return NestedFields.intValue(object, 0, "spec", "updateStrategy", "rollingUpdate", "partition");
    }

    boolean hasPartition() {
        return NestedFields.at(object, "spec", "updateStrategy", "rollingUpdate")
                .isObject();
    }

    Duration minReady() {
        return Duration.ofSeconds(NestedFields.intValue(object, 0, "spec", "minReadySeconds"));
    }

    int revisionHistoryLimit() {
        return NestedFields.intValue(object, 10, "spec", "revisionHistoryLimit");
    }

    List<ObjectNode> claimTemplates() {
        return NestedFields.objects(object, "spec", "volumeClaimTemplates");
    }

    boolean deletesClaimsWhenDeleted() {
        return deletesClaims("whenDeleted");
    }

    boolean deletesClaimsWhenScaled() {
        return deletesClaims("whenScaled");
    }

    private boolean deletesClaims(String when) {
        JsonNode value = NestedFields.at(object, "spec", "persistentVolumeClaimRetentionPolicy", when);
        return value.asText("").equals("Delete");
    }

    /** The set with the template of a revision. */
    ObjectNode atRevision(ControllerRevision revision) {
        ObjectNode then = object.deepCopy();
        NestedFields.getOrCreateObject(then, "spec").set("template", revision.template());
        return then;
    }
}
