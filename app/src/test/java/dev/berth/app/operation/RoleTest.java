package dev.berth.app.operation;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RoleTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00.7Z");

    private final Role role = new Role();

    @Test
    void aStandbyThatCannotReadTheLeaseDoesNotKnowWhoLeads() {
        role.waitsBehind("one");
        assertThat(role.known()).isTrue();
        role.leaseFails("lease (kube-system/berth) cannot be read", AT, "timeout");
        assertThat(role.known()).isFalse();
        assertThat(role).hasToString("lease (kube-system/berth) cannot be read since 2026-01-01T00:00:00Z: timeout");
    }

    @Test
    void aLeaseThatFailsOnceMoreFailsSinceThen() {
        role.leaseFails("lease (kube-system/berth) cannot be read", AT, "timeout");
        role.leaseFails("lease (kube-system/berth) cannot be written", AT.plusSeconds(5), "timeout");
        assertThat(role).asString().contains("cannot be written since 2026-01-01T00:00:00Z");
        role.leaseWorks();
        assertThat(role.known()).isFalse();
        assertThat(role).hasToString("it is not known yet who leads");
        role.leaseFails("lease (kube-system/berth) cannot be read", AT.plusSeconds(60), "timeout");
        assertThat(role).asString().contains("cannot be read since 2026-01-01T00:01:00Z");
    }

    @Test
    void aStandbySaysWhenASilentLeaderRenewedItsLeaseLast() {
        role.waitsFor("one", Optional.of(AT));
        assertThat(role.known()).isTrue();
        assertThat(role)
                .hasToString(
                        "standby: one holds the Lease but has not renewed it since 2026-01-01T00:00:00Z. Berth takes over when the Lease expires.");
        role.waitsFor("one", Optional.empty());
        assertThat(role)
                .hasToString(
                        "standby: one holds the Lease but has not renewed it. Berth takes over when the Lease expires.");
    }
}
