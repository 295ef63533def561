package dev.berth.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.Snapshot;
import dev.berth.e2e.pages.PageCluster;
import dev.berth.e2e.pages.RealPageCluster;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One Reservation that cannot be read costs no other anything, neither when it is made nor when it is deleted. */
@OnRealControlPlane
@OnStages(Stage.REAL)
@Timeout(240)
final class UnreadableReservationOnRealTest {
    private static final int DEPTH = 1_200;

    @Test
    void aReservationNestedTooDeepIsReportedAndOtherReservationsAreServed() throws Exception {
        try (PageCluster cluster = new RealPageCluster()) {
            apply(cluster, reservation("before", ""));
            awaitAvailable(cluster, "before");

            apply(cluster, reservation("deep", nested()));
            apply(cluster, reservation("beside", ""));
            awaitAvailable(cluster, "beside");
            Eventually.holds(() -> assertThat(jsonPath(cluster, "deep", "{.status.conditions[*].message}"))
                    .contains("nesting depth"));
            Eventually.holds(() -> assertThat(cluster.kubectl()
                            .run("get events --all-namespaces --field-selector involvedObject.name=deep")
                            .ok()
                            .out())
                    .contains("InvalidReservation"));

            cluster.kubectl()
                    .run("delete reservations.scheduling.koordinator.sh deep")
                    .ok();
            apply(cluster, reservation("after", ""));
            awaitAvailable(cluster, "after");
            assertThat(holds(cluster)).hasSize(3);
            anAvailableOneThatBecomesUnreadableKeepsItsPlaceAlsoAfterARestart(cluster);
        }
    }

    private static void anAvailableOneThatBecomesUnreadableKeepsItsPlaceAlsoAfterARestart(PageCluster cluster)
            throws InterruptedException {
        apply(cluster, reservation("before", nested()));
        Eventually.holds(() -> assertThat(cluster.kubectl()
                        .run("get events --all-namespaces --field-selector involvedObject.name=before")
                        .ok()
                        .out())
                .contains("InvalidReservation"));
        awaitNotReady(cluster, "as before the edit");
        assertThat(holds(cluster)).hasSize(3);
        cluster.restartBerth();
        Eventually.holds(() -> assertThat(holds(cluster)).hasSize(3));
        awaitNotReady(cluster, "no owner can use it until the specification is corrected");
        assertThat(jsonPath(cluster, "before", "{.status.phase}")).isEqualTo("Available");
    }

    private static void awaitNotReady(PageCluster cluster, String words) {
        Eventually.holds(() -> assertThat(jsonPath(
                        cluster, "before", "{.status.conditions[?(@.reason==\"InvalidReservation\")].message}"))
                .contains("nesting depth", words));
    }

    private static List<String> holds(PageCluster cluster) {
        Snapshot now = cluster.berth().snapshot();
        List<String> holds = new ArrayList<>();
        now.forEachHold(hold -> add(hold, holds));
        return holds;
    }

    private static void add(HoldState hold, List<String> to) {
        if (hold.hold().origin().component() == Origin.DoorId.KOORDINATOR
                && hold.nodeName().isPresent()) {
            to.add(hold.hold().id().value());
        }
    }

    private static void apply(PageCluster cluster, String object) {
        cluster.kubectl()
                .run("apply --server-side --force-conflicts -f -", object)
                .ok();
    }

    private static void awaitAvailable(PageCluster cluster, String name) {
        Eventually.holds(() ->
                assertThat(jsonPath(cluster, name, "{.status.phase}")).as(name).isEqualTo("Available"));
    }

    private static String jsonPath(PageCluster cluster, String name, String path) {
        return cluster.kubectl()
                .run("get reservations.scheduling.koordinator.sh %s -o jsonpath=%s".formatted(name, path))
                .ok()
                .out();
    }

    private static String nested() {
        return ", \"deep\": " + "{\"a\": ".repeat(DEPTH) + "1" + "}".repeat(DEPTH);
    }

    private static String reservation(String name, String more) {
        return """
                {"apiVersion": "scheduling.koordinator.sh/v1alpha1", "kind": "Reservation", "metadata": {"name": "%s"},
                 "spec": {"owners": [{"object": {"name": "nobody", "namespace": "default"}}], "ttl": "1h",
                  "template": {"metadata": {"namespace": "default"}, "spec": {"schedulerName": "koord-scheduler",
                   "containers": [{"name": "c", "image": "nginx", "resources": {"requests": {"cpu": "1"}}}]%s}}}}
                """.formatted(name, more);
    }
}
