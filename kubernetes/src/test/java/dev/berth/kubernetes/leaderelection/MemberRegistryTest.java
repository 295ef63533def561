package dev.berth.kubernetes.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.kubernetes.time.ManualTimer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class MemberRegistryTest {
    /** The lease of a leader that was killed, the timeout of its last writes, and some looks. */
    private static final Duration LEASE_AND_SOME_SECONDS = Duration.ofSeconds(15 + 5 + 5);

    /** Some looks, and the timeout of the last writes of a leader that was killed. */
    private static final Duration AFTER_THE_JOIN = Duration.ofSeconds(5 + 5);

    private final ManualTimer world = new ManualTimer();
    private final FakeMemberServer server = new FakeMemberServer(world);
    private final FakeLeaseServer leases = new FakeLeaseServer(world);

    @Test
    void theLeaderServesTheSchedulerNamesOfAllMembers() {
        SimulatedMember first = startMember("one", "a=usual");
        world.advance(Duration.ofSeconds(3));
        assertThat(first.leads()).isTrue();
        startMember("two", "b=usual");
        world.advance(Duration.ofSeconds(3));
        assertThat(first.serves()).containsExactly("a=usual", "b=usual");
        assertThat(server.leases()).extracting(Lease::name).containsExactly("berth-member-0", "berth-member-1");
    }

    @Test
    void theSchedulerNamesOfADeadMemberAreServedForAMinuteAndThenItsLeaseIsRemoved() {
        SimulatedMember first = startMember("one", "a=usual");
        SimulatedMember second = startMember("two", "b=usual");
        world.advance(Duration.ofSeconds(20));
        second.kill();
        world.advance(Duration.ofSeconds(45));
        assertThat(first.serves()).contains("b=usual");
        world.advance(Duration.ofSeconds(30));
        assertThat(first.serves()).containsExactly("a=usual");
        assertThat(server.leases()).hasSize(1);
    }

    @Test
    void aMemberThatIsKilledAndReplacedInTimeIsServedWithoutABreak() {
        SimulatedMember first = startMember("one", "a=usual");
        SimulatedMember second = startMember("two", "b=usual");
        world.advance(Duration.ofSeconds(20));
        second.kill();
        world.advance(Duration.ofSeconds(10));
        assertThat(first.serves()).contains("b=usual");
        startMember("three", "b=usual");
        for (int seconds = 0; seconds < 300; seconds++) {
            world.advance(Duration.ofSeconds(1));
            assertThat(first.serves()).contains("b=usual");
        }
    }

    @Test
    void anOutageLogsOneWarningAndOneRecovery() {
        SimulatedMember first = startMember("one", "a=usual");
        world.advance(Duration.ofSeconds(20));
        first.connection.setCut(true);
        world.advance(Duration.ofSeconds(30));
        first.connection.setCut(false);
        world.advance(Duration.ofSeconds(30));
        assertThat(first.log)
                .containsExactly(
                        "the member Leases in namespace kube-system cannot be listed: timeout",
                        "the member Leases in namespace kube-system can be listed again");
    }

    @Test
    void aMemberInConflictWithARunningMemberIsRejected() {
        startMember("one", "a=usual");
        world.advance(Duration.ofSeconds(20));
        SimulatedMember second = startMember("two", "a=packing");
        world.advance(Duration.ofSeconds(13));
        assertThat(second.rejected()).isTrue();
        assertThat(server.leases()).hasSize(1);
    }

    @Test
    void aBerthWithAnotherProfileFollowsOneThatWasStopped() {
        SimulatedMember first = startMember("one", "a=usual");
        world.advance(Duration.ofSeconds(20));
        first.stopResult();
        world.advance(Duration.ofSeconds(1));
        SimulatedMember second = startMember("two", "a=packing");
        world.advance(Duration.ofSeconds(5));
        assertThat(second.leads()).isTrue();
        assertThat(second.serves()).containsExactly("a=packing");
    }

    @Test
    void aBerthWithAnotherProfileFollowsOneThatWasStoppedWhileItJoined() {
        SimulatedMember first = startMember("one", "a=usual");
        // Requests and replies take 5 ms each: the list is here, and the Lease is being created.
        world.advance(Duration.ofMillis(12));
        first.stopResult();
        world.advance(Duration.ofSeconds(1));
        SimulatedMember second = startMember("two", "a=packing");
        world.advance(Duration.ofSeconds(5));
        assertThat(second.diary).as("why the next Berth does not start").containsExactly("leads");
    }

    @Test
    void aMemberInConflictWithADeadMemberWaitsUntilItsLeaseExpires() {
        SimulatedMember first = startMember("one", "a=usual");
        world.advance(Duration.ofSeconds(20));
        first.kill();
        SimulatedMember second = startMember("two", "a=packing");
        world.advance(Duration.ofSeconds(50));
        assertThat(second.leads()).isFalse();
        world.advance(Duration.ofSeconds(60));
        assertThat(second.rejected()).isFalse();
        assertThat(second.leads()).isTrue();
    }

    @Test
    void aMemberThatWaitsToJoinAlsoWaitsForTheLeaderLeaseAndReportsUntilWhen() {
        SimulatedMember first = startMember("one", "a=usual");
        world.advance(Duration.ofSeconds(27));
        first.kill();
        world.advance(Duration.ofSeconds(1));
        Instant ends = server.leases()
                .get(0)
                .renewTime()
                .orElseThrow()
                .plus(server.leases().get(0).leaseDuration())
                .plusSeconds(5)
                .truncatedTo(ChronoUnit.SECONDS);
        SimulatedMember second = startMember("two", "a=packing");
        world.advance(Duration.ofSeconds(5));
        assertThat(second.diary)
                .last()
                .asString()
                .endsWith("shows whether that replica still runs, until %s at the latest".formatted(ends));
        world.advance(Duration.between(world.instant(), ends).plus(AFTER_THE_JOIN));
        assertThat(second.leads())
                .as("leads when the member's Lease is over, without another wait for the leader's")
                .isTrue();
    }

    @Test
    void whenTwoConflictingMembersJoinAtOnceOneStays() {
        SimulatedMember first = startMember("one", "a=usual");
        SimulatedMember second = startMember("two", "a=packing");
        world.advance(Duration.ofMinutes(2));
        assertThat(first.rejected()).isNotEqualTo(second.rejected());
        assertThat(server.leases()).hasSize(1);
    }

    @Test
    void aMemberWhoseLeaseWasRemovedJoinsAgain() {
        SimulatedMember first = startMember("one", "a=usual");
        SimulatedMember second = startMember("two", "b=usual");
        world.advance(Duration.ofSeconds(20));
        second.connection.setCut(true);
        world.advance(Duration.ofSeconds(90));
        assertThat(first.serves()).containsExactly("a=usual");
        second.connection.setCut(false);
        world.advance(Duration.ofSeconds(20));
        assertThat(first.serves()).containsExactly("a=usual", "b=usual");
    }

    @Test
    void whenALeaderWithHttpDoorsIsKilledItsStandbyLeadsAfterTheLeaseDurationAndStays() {
        SimulatedMember plain = startMember("plain", "a=usual");
        SimulatedMember http = startMember("http", "b=usual+http");
        world.advance(Duration.ofSeconds(40));
        assertThat(http.leads()).isTrue();
        plain.diary.clear();
        http.kill();
        world.advance(LEASE_AND_SOME_SECONDS);
        assertThat(plain.leads()).as("pods wait: no Berth leads").isTrue();
        world.advance(Duration.ofMinutes(2));
        assertThat(plain.diary).as("what the only live Berth did").containsExactly("leads");
    }

    @Test
    void whenALeaderWithHttpDoorsIsStoppedItsStandbyLeadsAtItsNextPoll() {
        SimulatedMember plain = startMember("plain", "a=usual");
        SimulatedMember http = startMember("http", "b=usual+http");
        world.advance(Duration.ofSeconds(40));
        assertThat(http.leads()).isTrue();
        http.stopResult();
        world.advance(Duration.ofSeconds(3));
        assertThat(plain.leads()).as("pods wait: no Berth leads").isTrue();
    }

    @Test
    void aBerthThatStartsAloneDoesNotLetAMemberLeadThatWasKilledBefore() {
        SimulatedMember http = startMember("http", "b=usual+http");
        world.advance(Duration.ofSeconds(20));
        http.kill();
        world.advance(Duration.ofMinutes(2));
        SimulatedMember plain = startMember("plain", "a=usual");
        world.advance(LEASE_AND_SOME_SECONDS);
        assertThat(plain.leads()).as("pods wait: no Berth leads").isTrue();
        assertThat(plain.diary).containsExactly("leads");
    }

    @Test
    void schedulerNamesOfAMemberThatEndedAreNotServed() {
        SimulatedMember first = startMember("one", "a=usual");
        SimulatedMember second = startMember("two", "b=usual");
        world.advance(Duration.ofSeconds(20));
        second.stopResult();
        world.advance(Duration.ofSeconds(5));
        assertThat(first.serves()).containsExactly("a=usual");
        assertThat(server.leases()).hasSize(1);
    }

    @Test
    void aCrashLoopDoesNotServeTheSchedulerNamesOfADeadMemberForever() {
        SimulatedMember dead = startMember("dead", "b=usual");
        world.advance(Duration.ofSeconds(20));
        dead.kill();
        SimulatedMember looping = dead;
        for (int crash = 0; crash < 4; crash++) {
            looping = startMember("looping" + crash, "a=usual");
            world.advance(Duration.ofSeconds(40));
            assertThat(looping.leads()).isTrue();
            if (crash < 3) {
                looping.kill();
            }
        }
        assertThat(looping.serves()).as("two minutes after b died").containsExactly("a=usual");
    }

    private SimulatedMember startMember(String identity, String configuration) {
        return new SimulatedMember(identity, configuration, server, leases, world).start();
    }
}
