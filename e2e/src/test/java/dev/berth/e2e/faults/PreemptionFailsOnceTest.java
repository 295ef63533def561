package dev.berth.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.testkit.contract.Eventually;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pod makes room for itself, a more important one takes that over, and all that Berth asks for them goes wrong at first. */
@Timeout(300)
class PreemptionFailsOnceTest {
    private static final RestMapping PRIORITIES =
            new RestMapping("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", false);
    private static final String PODS = "/api/v1/namespaces/default/pods/";

    /** A victim that may not be deleted is left alone for five minutes: DeniedVictimTest is about that. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"LOST", "DENIED"})
    void onlyNeededVictimsAreDeletedAndThePreemptorGetsTheirCapacity(Fault fault) throws Exception {
        FirstCallFails meddler = new FirstCallFails(fault);
        try (FaultyCluster cluster = new FaultyCluster(meddler, InstantSource.system())) {
            cluster.berth().awaitReady(2);
            runScenario(new Scenario(cluster));
        }
        assertThat(meddler.bound().keySet())
                .containsExactlyInAnyOrder(PODS + "king/binding", PODS + "victim/binding", PODS + "vip/binding");
        assertThat(meddler.bound()).values().containsOnly(1);
        // The leader also deletes the Lease that it created without hearing of it.
        assertThat(meddler.deleted()).filteredOn(path -> path.startsWith(PODS)).containsExactly(PODS + "victim");
        assertThat(meddler.failed())
                .contains(
                        "PATCH " + PODS + "vip/status [status.nominatedNodeName]",
                        "PATCH " + PODS + "victim/status [status.conditions]",
                        "DELETE " + PODS + "victim",
                        "PATCH " + PODS + "king/status [status.nominatedNodeName]",
                        "PATCH " + PODS + "vip/status [no status.nominatedNodeName]",
                        "POST " + PODS + "king/binding",
                        "POST " + PODS + "vip/binding");
    }

    /** As long as the timeouts are, it takes minutes. */
    @Test
    @Tag("long")
    void preemptionSucceedsWhenFirstRequestsAreLost() throws Exception {
        onlyNeededVictimsAreDeletedAndThePreemptorGetsTheirCapacity(Fault.LOST);
    }

    private static void runScenario(Scenario scenario) {
        scenario.createBoundPod("victim", "5", "node-0");
        scenario.createBoundPod("spared", "1", "node-0");
        scenario.createBoundPod("elsewhere", "6", "node-1");
        scenario.awaitRunning("victim", "node-0")
                .awaitRunning("spared", "node-0")
                .awaitRunning("elsewhere", "node-1");

        scenario.createPendingPod("vip", 100, "5");
        Eventually.holds(() -> {
            assertThat(scenario.nominatedNode("vip")).isEqualTo("node-0");
            assertThat(scenario.isTerminating("victim")).isTrue();
        });
        scenario.createPendingPod("king", 1000, "5");
        Eventually.holds(() -> {
            assertThat(scenario.nominatedNode("king")).isEqualTo("node-0");
            assertThat(scenario.nominatedNode("vip")).isEmpty();
        });

        scenario.deletePod("victim");
        scenario.awaitRunning("king", "node-0");
        scenario.createPendingPod("victim", 0, "1");
        scenario.awaitRunning("victim", "node-0")
                .awaitRunning("spared", "node-0")
                .awaitRunning("elsewhere", "node-1");
        scenario.cluster.assertLedgerEqualsFreshList();

        scenario.deletePod("king");
        scenario.awaitRunning("vip", "node-0").awaitRunning("victim", "node-0");
        scenario.cluster.assertLedgerEqualsFreshList();
        assertThat(scenario.cluster.pods()).containsOnlyKeys("victim", "spared", "elsewhere", "vip");
    }

    /** What the test and the author of pods do. */
    private record Scenario(FaultyCluster cluster) {
        private DynamicClient client() {
            return cluster.client();
        }

        /** A pod of no priority that was there before; it would take an hour to stop. */
        void createBoundPod(String name, String cpu, String node) {
            ObjectNode pod = pod(name, cpu);
            NestedFields.getOrCreateObject(pod, "spec")
                    .put("nodeName", node)
                    .put("terminationGracePeriodSeconds", 3600);
            NestedFields.getOrCreateObject(NestedFields.getOrCreateObject(pod, "metadata"), "annotations")
                    .put("simulate.berth.dev/stop-after", "1h");
            client().create(RestMapping.PODS, pod);
        }

        /** A pod that can only go to the first node. */
        void createPendingPod(String name, int priority, String cpu) {
            ObjectNode pod = pod(name, cpu);
            NestedFields.getOrCreateObject(NestedFields.getOrCreateObject(pod, "spec"), "nodeSelector")
                    .put("kubernetes.io/hostname", "node-0");
            if (priority > 0) {
                client().create(PRIORITIES, JsonText.parse("""
                        {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass",
                         "metadata": {"name": "%s"}, "value": %d}
                        """.formatted(name, priority)));
                NestedFields.getOrCreateObject(pod, "spec").put("priorityClassName", name);
            }
            client().create(RestMapping.PODS, pod);
        }

        private static ObjectNode pod(String name, String cpu) {
            return JsonText.parse("""
                    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "default"},
                     "spec": {"schedulerName": "berth-scheduler",
                      "containers": [{"name": "c", "image": "nginx", "resources": {"requests": {"cpu": "%s"}}}]}}
                    """.formatted(name, cpu));
        }

        void deletePod(String name) {
            client().delete(RestMapping.PODS.object("default", name), DeleteOptions.DEFAULT.withGracePeriod(0));
        }

        Scenario awaitRunning(String name, String node) {
            Eventually.holds(() -> assertThat(cluster.pods()).containsEntry(name, node + " Running"));
            return this;
        }

        String nominatedNode(String name) {
            return NestedFields.text(
                    client().get(RestMapping.PODS.object("default", name)), "status", "nominatedNodeName");
        }

        boolean isTerminating(String name) {
            return !NestedFields.text(
                            client().get(RestMapping.PODS.object("default", name)), "metadata", "deletionTimestamp")
                    .isEmpty();
        }
    }
}
