package dev.berth.embedded.workload.replicaset;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeletionOrderTest {
    private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

    private static ObjectNode pod(String name, String node, String phase, String readySince, String created) {
        ObjectNode pod = Json.object();
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
        DeletionOrder order = new DeletionOrder(NOW, related);
        assertThat(order.firstToGo(List.of(first, second), 1))
                .extracting(Meta::name)
                .containsExactly(Meta.name(first));
        assertThat(order.firstToGo(List.of(second, first), 1))
                .extracting(Meta::name)
                .containsExactly(Meta.name(first));
    }

    @Test
    void whoHasNoNodeGoesBeforeWhoHas() {
        goesFirst(pod("b", "", "Pending", "", "2026-11-15T11:00:00Z"), running("a", "n1"));
    }

    @Test
    void whoStillStartsGoesBeforeWhoRuns() {
        goesFirst(pod("b", "n2", "Pending", "", "2026-11-15T11:00:00Z"), running("a", "n1"));
    }

    @Test
    void whoIsNotReadyGoesBeforeWhoIs() {
        goesFirst(pod("b", "n2", "Running", "", "2026-11-15T11:00:00Z"), running("a", "n1"));
    }

    @Test
    void theCheapGoBeforeTheDear() {
        ObjectNode dear = running("a", "n1");
        dear.withObject("/metadata").putObject("annotations").put("controller.kubernetes.io/pod-deletion-cost", "10");
        goesFirst(running("b", "n2"), dear);
        ObjectNode cheap = running("c", "n3");
        cheap.withObject("/metadata").putObject("annotations").put("controller.kubernetes.io/pod-deletion-cost", "-1");
        goesFirst(cheap, running("b", "n2"));
    }

    @Test
    void whoStandsCrowdedGoesBeforeWhoStandsAlone() {
        ObjectNode alone = running("a", "n1");
        ObjectNode crowded = running("b", "n2");
        goesFirst(crowded, alone, List.of(alone, crowded, running("other", "n2")));
    }

    @Test
    void whoWasReadyLatelyGoesBeforeWhoWasReadyLong() {
        goesFirst(
                pod("b", "n2", "Running", "2026-11-15T11:59:59Z", "2026-11-15T11:00:00Z"),
                pod("a", "n1", "Running", "2026-11-15T11:00:00Z", "2026-11-15T11:00:00Z"));
    }

    @Test
    void amongAboutEquallyLongReadyOnesTheUidDecides() {
        goesFirst(
                pod("a", "n1", "Running", "2026-11-15T11:00:00Z", "2026-11-15T10:00:00Z"),
                pod("b", "n2", "Running", "2026-11-15T11:00:05Z", "2026-11-15T10:00:00Z"));
    }

    @Test
    void whoRestartedOftenGoesBeforeTheSteady() {
        ObjectNode shaky = running("b", "n2");
        shaky.withObject("/status").putArray("containerStatuses").addObject().put("restartCount", 3);
        goesFirst(shaky, running("a", "n1"));
    }

    @Test
    void theYoungGoBeforeTheOld() {
        goesFirst(
                pod("b", "n2", "Running", "", "2026-11-15T11:59:59Z"),
                pod("a", "n1", "Running", "", "2026-11-15T09:00:00Z"));
    }
}
