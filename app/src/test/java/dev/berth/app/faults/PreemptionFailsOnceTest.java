package dev.berth.app.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.DeleteOptions;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Json;
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
    private static final Resource PRIORITIES =
            new Resource("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", false);
    private static final String PODS = "/api/v1/namespaces/default/pods/";

    /** A victim that may not be deleted is left alone for five minutes: DeniedVictimTest is about that. */
    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"LOST", "DENIED"})
    void onlyWhoMustLeavesAndTheRoomIsForWhomItWasMade(Fault fault) throws Exception {
        FirstCallFails meddler = new FirstCallFails(fault);
        try (MeddledCluster cluster = new MeddledCluster(meddler, InstantSource.system())) {
            cluster.berth().awaitReady(2);
            play(new Play(cluster));
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
    void soItIsWhenNothingArrivesTheFirstTime() throws Exception {
        onlyWhoMustLeavesAndTheRoomIsForWhomItWasMade(Fault.LOST);
    }

    private static void play(Play play) {
        play.there("victim", "5", "node-0");
        play.there("spared", "1", "node-0");
        play.there("elsewhere", "6", "node-1");
        play.runs("victim", "node-0").runs("spared", "node-0").runs("elsewhere", "node-1");

        play.wants("vip", 100, "5");
        Eventually.holds(() -> {
            assertThat(play.nomination("vip")).isEqualTo("node-0");
            assertThat(play.leaves("victim")).isTrue();
        });
        play.wants("king", 1000, "5");
        Eventually.holds(() -> {
            assertThat(play.nomination("king")).isEqualTo("node-0");
            assertThat(play.nomination("vip")).isEmpty();
        });

        play.ends("victim");
        play.runs("king", "node-0");
        play.wants("victim", 0, "1");
        play.runs("victim", "node-0").runs("spared", "node-0").runs("elsewhere", "node-1");
        play.cluster.isAsIfListedAnew();

        play.ends("king");
        play.runs("vip", "node-0").runs("victim", "node-0");
        play.cluster.isAsIfListedAnew();
        assertThat(play.cluster.pods()).containsOnlyKeys("victim", "spared", "elsewhere", "vip");
    }

    /** What the test and the author of pods do. */
    private record Play(MeddledCluster cluster) {
        private ApiClient client() {
            return cluster.client();
        }

        /** A pod of no priority that was there before; it would take an hour to stop. */
        void there(String name, String cpu, String node) {
            ObjectNode pod = pod(name, cpu);
            Json.child(pod, "spec").put("nodeName", node).put("terminationGracePeriodSeconds", 3600);
            Json.child(Json.child(pod, "metadata"), "annotations").put("simulate.berth.dev/stop-after", "1h");
            client().create(Resource.PODS, pod);
        }

        /** A pod that can only go to the first node. */
        void wants(String name, int priority, String cpu) {
            ObjectNode pod = pod(name, cpu);
            Json.child(Json.child(pod, "spec"), "nodeSelector").put("kubernetes.io/hostname", "node-0");
            if (priority > 0) {
                client().create(PRIORITIES, Json.parse("""
                        {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass",
                         "metadata": {"name": "%s"}, "value": %d}
                        """.formatted(name, priority)));
                Json.child(pod, "spec").put("priorityClassName", name);
            }
            client().create(Resource.PODS, pod);
        }

        private static ObjectNode pod(String name, String cpu) {
            return Json.parse("""
                    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "default"},
                     "spec": {"schedulerName": "berth-scheduler",
                      "containers": [{"name": "c", "image": "nginx", "resources": {"requests": {"cpu": "%s"}}}]}}
                    """.formatted(name, cpu));
        }

        void ends(String name) {
            client().delete(Resource.PODS.at("default", name), DeleteOptions.DEFAULT.withGrace(0));
        }

        Play runs(String name, String node) {
            Eventually.holds(() -> assertThat(cluster.pods()).containsEntry(name, node + " Running"));
            return this;
        }

        String nomination(String name) {
            return Json.text(client().get(Resource.PODS.at("default", name)), "status", "nominatedNodeName");
        }

        boolean leaves(String name) {
            return !Json.text(client().get(Resource.PODS.at("default", name)), "metadata", "deletionTimestamp")
                    .isEmpty();
        }
    }
}
