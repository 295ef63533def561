package dev.berth.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.pages.PageCluster;
import dev.berth.e2e.pages.RealPageCluster;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Another scheduler binds a pod onto a node where the room is kept for somebody else. */
@OnRealControlPlane
@OnStages(Stage.REAL)
@Timeout(240)
final class OvercommittedNodeOnRealTest {
    private static final String RESERVATION = """
            {"apiVersion": "scheduling.koordinator.sh/v1alpha1", "kind": "Reservation", "metadata": {"name": "held"},
             "spec": {"owners": [{"object": {"name": "owner", "namespace": "default"}}], "ttl": "1h",
              "template": {"metadata": {"namespace": "default"}, "spec": {"schedulerName": "koord-scheduler",
               "containers": [{"name": "c", "image": "nginx", "resources": {"requests": {"cpu": "6"}}}]}}}}
            """;

    @Test
    void theReservationNamesTheIntruderAndWhatIsMissingUntilTheIntruderIsGone() throws Exception {
        try (PageCluster cluster = new RealPageCluster()) {
            cluster.kubectl().run("apply -f -", RESERVATION).ok();
            Eventually.holds(
                    () -> assertThat(jsonPath(cluster, "{.status.phase}")).isEqualTo("Available"));
            String node = jsonPath(cluster, "{.status.nodeName}");
            createBoundPod(cluster, "intruder", node);
            Eventually.holds(() -> assertThat(readyCondition(cluster))
                    .contains("False Overcommitted", "2 cpu", "default/intruder (scheduler default-scheduler)"));
            Eventually.holds(() -> assertThat(cluster.kubectl()
                            .run("get events --all-namespaces")
                            .ok()
                            .lines())
                    .anyMatch(line -> line.contains("Overcommitted") && line.contains("reservation/held"))
                    .anyMatch(line -> line.contains("Overcommitted") && line.contains("node/" + node)));
            anAnnotatedNodeIsReportedToo(cluster, node.equals("node-1") ? "node-2" : "node-1");
            cluster.kubectl()
                    .run("delete pod intruder --force --grace-period=0")
                    .ok();
            Eventually.holds(() -> assertThat(readyCondition(cluster)).startsWith("True Available"));
        }
    }

    private static void createBoundPod(PageCluster cluster, String pod, String node) {
        cluster.kubectl().run("apply -f -", """
                        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "default"},
                         "spec": {"nodeName": "%s", "terminationGracePeriodSeconds": 0,
                          "containers": [{"name": "c", "image": "nginx", "resources": {"requests": {"cpu": "4"}}}]}}
                        """.formatted(pod, node)).ok();
    }

    private static void anAnnotatedNodeIsReportedToo(PageCluster cluster, String node) {
        String owner = "a8f6f901-47c9-4475-b1f4-cac44597e173";
        cluster.kubectl()
                .run("annotate node %s reserve.cpu/%s=6".formatted(node, owner))
                .ok();
        createBoundPod(cluster, "second", node);
        Eventually.holds(() -> assertThat(cluster.kubectl()
                        .run("get events --all-namespaces")
                        .ok()
                        .lines())
                .anyMatch(line -> line.contains("node/" + node + " ")
                        && line.contains(
                                "default/second (scheduler default-scheduler); reserved by: annotation of node "
                                        + node)));
    }

    private static String readyCondition(PageCluster cluster) {
        String at = "{.status.conditions[1].";
        return "%s %s %s"
                .formatted(
                        jsonPath(cluster, at + "status}"),
                        jsonPath(cluster, at + "reason}"),
                        jsonPath(cluster, at + "message}"));
    }

    private static String jsonPath(PageCluster cluster, String path) {
        return cluster.kubectl()
                .run("get reservations.scheduling.koordinator.sh held -o jsonpath=" + path)
                .ok()
                .out();
    }
}
