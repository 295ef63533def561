package dev.berth.app.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.diagnostics.HealthCheck.HealthStatus;
import dev.berth.kubernetes.watch.WatchHealth;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchCheckTest {
    @Test
    void aKindWhoseWatchFailsThreeTimesInARowIsNamedWithItsError() {
        assertThat(checkResult(new WatchHealth.WatchStatus("pods", 2, 2, "connection lost", 0, 0, false)))
                .isEqualTo(HealthStatus.healthy(""));
        assertThat(checkResult(
                        new WatchHealth.WatchStatus("pods", 0, 9, "", 0, 0, false),
                        new WatchHealth.WatchStatus("reservations", 3, 3, "malformed watch", 0, 0, false)))
                .isEqualTo(HealthStatus.unhealthy("reservations failed 3 times in a row: malformed watch"));
    }

    @Test
    void kindsThatFailWithTheSameErrorAreReportedOnce() {
        assertThat(checkResult(
                        new WatchHealth.WatchStatus(
                                "pods", 4, 4, "cannot connect to https://here:6443: refused", 0, 0, false),
                        new WatchHealth.WatchStatus("storedholds", 3, 3, "forbidden", 0, 0, false),
                        new WatchHealth.WatchStatus(
                                "nodes", 5, 5, "cannot connect to https://here:6443: refused", 0, 0, false)))
                .isEqualTo(HealthStatus.unhealthy(
                        "2 kinds failed at least 4 times in a row: cannot connect to https://here:6443:"
                                + " refused; storedholds failed 3 times in a row: forbidden"));
    }

    @Test
    void unreadableObjectsAreCountedAndBerthStaysReady() {
        assertThat(checkResult(new WatchHealth.WatchStatus("reservations", 0, 0, "", 2, 5, false)))
                .isEqualTo(HealthStatus.healthy("objects that cannot be read: 2 of reservations"));
    }

    @Test
    void aMissingDefinitionIsReportedWithItsDoorAndBerthStaysReady() {
        assertThat(checkResult(
                        new WatchHealth.WatchStatus("pods", 0, 0, "", 0, 0, false),
                        new WatchHealth.WatchStatus("reservations.scheduling.koordinator.sh", 0, 0, "", 0, 0, true)))
                .isEqualTo(HealthStatus.healthy(
                        "CustomResourceDefinition reservations.scheduling.koordinator.sh is not installed: door koordinator is idle."
                                + " Maybe run \"berth install --crds-only | kubectl apply -f -\""));
        assertThat(checkResult(new WatchHealth.WatchStatus("storedholds", 0, 0, "", 0, 0, true))
                        .toString())
                .contains(
                        "CustomResourceDefinition storedholds.berth.dev is not installed: door globalreserve is idle");
    }

    private static HealthStatus checkResult(WatchHealth.WatchStatus... watchStatuses) {
        return new WatchCheck(() -> List.of(watchStatuses)).run();
    }
}
