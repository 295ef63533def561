package dev.berth.sandbox.controller.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PodDeletionOrderTest {
    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    private static ObjectNode pod(String name, String node, String phase, String readySince, String created) {
        ObjectNode pod = NestedFields.newObject();
        pod.putObject("metadata").put("name", name).put("uid", name).put("creationTimestamp", created);
        pod.putObject("spec").put("nodeName", node);
        ObjectNode status = pod.putObject("status").put("phase", phase);
        ObjectNode ready = status.putArray("conditions").addObject().put("type", "Ready");
        ready.put("status", readySince.isEmpty() ? "False" : "True").put("lastTransitionTime", readySince);
        return pod;
    }

    private static ObjectNode running(String name, String node) {
        return pod(name, node, "Running", "2026-11-15T11:00:00Z", "2026-11-15T11:00:00Z");
    }

    /** Both orders of the two must give the same first. */
    private static void goesFirst(ObjectNode first, ObjectNode second) {
        goesFirst(first, second, List.of(first, second));
    }

    private static void goesFirst(ObjectNode first, ObjectNode second, List<ObjectNode> related) {
        PodDeletionOrder order = new PodDeletionOrder(NOW, related);
        assertThat(order.selectPodsToDelete(List.of(first, second), 1))
                .extracting(ObjectMetaReader::name)
                .containsExactly(ObjectMetaReader.name(first));
        assertThat(order.selectPodsToDelete(List.of(second, first), 1))
                .extracting(ObjectMetaReader::name)
                .containsExactly(ObjectMetaReader.name(first));
    }

    @Test
    void unboundPodsAreDeletedBeforeBoundOnes() {
        goesFirst(pod("b", "", "Pending", "", "2026-11-15T11:00:00Z"), running("a", "n1"));
    }

    @Test
    void pendingPodsAreDeletedBeforeRunningOnes() {
        goesFirst(pod("b", "n2", "Pending", "", "2026-11-15T11:00:00Z"), running("a", "n1"));
    }

    @Test
    void notReadyPodsAreDeletedBeforeReadyOnes() {
        goesFirst(pod("b", "n2", "Running", "", "2026-11-15T11:00:00Z"), running("a", "n1"));
    }

    @Test
    void podsWithALowerDeletionCostAreDeletedFirst() {
        ObjectNode dear = running("a", "n1");
        dear.withObject("/metadata").putObject("annotations").put("controller.kubernetes.io/pod-deletion-cost", "10");
        goesFirst(running("b", "n2"), dear);
        ObjectNode cheap = running("c", "n3");
        cheap.withObject("/metadata").putObject("annotations").put("controller.kubernetes.io/pod-deletion-cost", "-1");
        goesFirst(cheap, running("b", "n2"));
    }

    @Test
    void podsOnNodesWithMoreRelatedPodsAreDeletedFirst() {
        ObjectNode alone = running("a", "n1");
        ObjectNode crowded = running("b", "n2");
        goesFirst(crowded, alone, List.of(alone, crowded, running("other", "n2")));
    }

    @Test
    void recentlyReadyPodsAreDeletedBeforeLongReadyOnes() {
        goesFirst(
                pod("b", "n2", "Running", "2026-11-15T11:59:59Z", "2026-11-15T11:00:00Z"),
                pod("a", "n1", "Running", "2026-11-15T11:00:00Z", "2026-11-15T11:00:00Z"));
    }

    @Test
    void podsReadyForAboutTheSameTimeAreOrderedByUid() {
        goesFirst(
                pod("a", "n1", "Running", "2026-11-15T11:00:00Z", "2026-11-15T10:00:00Z"),
                pod("b", "n2", "Running", "2026-11-15T11:00:05Z", "2026-11-15T10:00:00Z"));
    }

    @Test
    void podsWithMoreRestartsAreDeletedFirst() {
        ObjectNode shaky = running("b", "n2");
        shaky.withObject("/status").putArray("containerStatuses").addObject().put("restartCount", 3);
        goesFirst(shaky, running("a", "n1"));
    }

    @Test
    void newerPodsAreDeletedBeforeOlderOnes() {
        goesFirst(
                pod("b", "n2", "Running", "", "2026-11-15T11:59:59Z"),
                pod("a", "n1", "Running", "", "2026-11-15T09:00:00Z"));
    }
}
