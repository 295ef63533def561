package dev.berth.app.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.diagnostics.HealthCheck.HealthStatus;
import dev.berth.kubernetes.leaderelection.SchedulerLease;
import dev.berth.kubernetes.leaderelection.SchedulerLeaseWatcher.BlockedName;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The check of /readyz says which scheduler names Berth does not serve, and why. */
class SchedulerLeaseCheckTest {
    private static final SchedulerLease LEASE = SchedulerLease.parse("koordinator-system/koord-scheduler");

    private static HealthStatus status(Map<String, BlockedName> blocked) {
        return new SchedulerLeaseCheck(() -> blocked).healthStatus();
    }

    @Test
    void aNameThatIsLeftToItsOwnSchedulerIsNamedAndBerthIsReady() {
        assertThat(status(Map.of("koord-scheduler", new BlockedName(LEASE, "its own scheduler runs", "koord-1", true))))
                .isEqualTo(HealthStatus.healthy(
                        "schedulerName koord-scheduler is not served: its own scheduler runs (koord-1)"));
    }

    @Test
    void aLeaseThatCannotBeReadMakesBerthNotReady() {
        assertThat(status(Map.of("koord-scheduler", new BlockedName(LEASE, "it cannot be read", "forbidden", false)))
                        .healthy())
                .isFalse();
    }

    @Test
    void nothingIsSaidIfAllNamesAreServed() {
        assertThat(status(Map.of())).isEqualTo(HealthStatus.healthy(""));
    }
}
