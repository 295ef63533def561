package dev.berth.embedded.workload.statefulset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import java.time.Duration;
import java.util.List;

/** What a StatefulSet asks for. */
record StatefulSetView(ObjectNode object) {

    String name() {
        return Meta.name(object);
    }

    String namespace() {
        return Meta.namespace(object);
    }

    int replicas() {
        return Json.number(object, 1, "spec", "replicas");
    }

    int start() {
        return Json.number(object, 0, "spec", "ordinals", "start");
    }

    boolean hasRoomFor(int ordinal) {
        return ordinal >= start() && ordinal < start() + replicas();
    }

    /** Whether pods wait for their predecessors. */
    boolean ordered() {
        return !Json.text(object, "spec", "podManagementPolicy").equals("Parallel");
    }

    boolean updatesOnDelete() {
        return Json.text(object, "spec", "updateStrategy", "type").equals("OnDelete");
    }

    /** Pods whose place in the row is below this keep the current revision. */
    int partition() {
        return Json.number(object, 0, "spec", "updateStrategy", "rollingUpdate", "partition");
    }

    boolean hasPartition() {
        return Json.at(object, "spec", "updateStrategy", "rollingUpdate").isObject();
    }

    Duration minReady() {
        return Duration.ofSeconds(Json.number(object, 0, "spec", "minReadySeconds"));
    }

    int revisionHistoryLimit() {
        return Json.number(object, 10, "spec", "revisionHistoryLimit");
    }

    List<ObjectNode> claimTemplates() {
        return Json.objects(object, "spec", "volumeClaimTemplates");
    }

    boolean deletesClaimsWhenDeleted() {
        return policy("whenDeleted");
    }

    boolean deletesClaimsWhenScaled() {
        return policy("whenScaled");
    }

    private boolean policy(String when) {
        JsonNode value = Json.at(object, "spec", "persistentVolumeClaimRetentionPolicy", when);
        return value.asText("").equals("Delete");
    }

    /** The set as it was at a revision: only the template differs. */
    ObjectNode at(Revision revision) {
        ObjectNode then = Json.copy(object);
        Json.child(then, "spec").set("template", revision.template());
        return then;
    }
}
