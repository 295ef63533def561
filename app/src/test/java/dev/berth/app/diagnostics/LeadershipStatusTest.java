package dev.berth.app.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeadershipStatusTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00.7Z");

    private final LeadershipStatus leadershipStatus = new LeadershipStatus();

    @Test
    void theLeaderIsUnknownToAStandbyThatCannotReadTheLease() {
        leadershipStatus.setStandby("one");
        assertThat(leadershipStatus.isLeaderKnown()).isTrue();
        leadershipStatus.setLeaseFailing("lease (kube-system/berth) cannot be read", AT, "timeout");
        assertThat(leadershipStatus.isLeaderKnown()).isFalse();
        assertThat(leadershipStatus)
                .hasToString("lease (kube-system/berth) cannot be read since 2026-01-01T00:00:00Z: timeout");
    }

    @Test
    void repeatedLeaseFailuresKeepTheTimeOfTheFirst() {
        leadershipStatus.setLeaseFailing("lease (kube-system/berth) cannot be read", AT, "timeout");
        leadershipStatus.setLeaseFailing("lease (kube-system/berth) cannot be written", AT.plusSeconds(5), "timeout");
        assertThat(leadershipStatus).asString().contains("cannot be written since 2026-01-01T00:00:00Z");
        leadershipStatus.clearLeaseFailure();
        assertThat(leadershipStatus.isLeaderKnown()).isFalse();
        assertThat(leadershipStatus).hasToString("the leader is not known yet");
        leadershipStatus.setLeaseFailing("lease (kube-system/berth) cannot be read", AT.plusSeconds(60), "timeout");
        assertThat(leadershipStatus).asString().contains("cannot be read since 2026-01-01T00:01:00Z");
    }

    @Test
    void aStandbyReportsWhenASilentLeaderLastRenewedItsLease() {
        leadershipStatus.setWaitingForExpiry("one", Optional.of(AT));
        assertThat(leadershipStatus.isLeaderKnown()).isTrue();
        assertThat(leadershipStatus)
                .hasToString(
                        "standby: one holds the Lease, last renewed at 2026-01-01T00:00:00Z. Berth takes over if the Lease expires.");
        leadershipStatus.setWaitingForExpiry("one", Optional.empty());
        assertThat(leadershipStatus)
                .hasToString("standby: one holds the Lease. Berth takes over if the Lease expires.");
    }
}
