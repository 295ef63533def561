package dev.berth.kubernetes.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kubernetes.leaderelection.FakeLeaseServer.NetworkCondition;
import dev.berth.kubernetes.time.ManualTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class LeaderElectorTest {
    private final ManualTimer time = new ManualTimer();
    private final FakeLeaseServer leases = new FakeLeaseServer(time);

    @Test
    void theFirstCandidateLeadsAndTheSecondSeesTheIdentityOfTheFirst() {
        SimulatedCandidate one = candidate("one");
        SimulatedCandidate two = candidate("two");
        startInTurn(one, two);
        time.advance(Duration.ofMinutes(5));
        assertThat(one.callbackLog).containsExactly("leading after nothing");
        assertThat(two.callbackLog).containsExactly("other: one");
        assertThat(one.leads()).isTrue();
        assertThat(two.leads()).isFalse();
    }

    @Test
    void aLeaderThatReleasesTheLeaseIsSucceededImmediately() {
        SimulatedCandidate one = candidate("one");
        SimulatedCandidate two = candidate("two");
        startInTurn(one, two);
        time.advance(Duration.ofSeconds(10));
        one.resumeVersion = Optional.of("77");
        CompletionStage<Void> stopped = one.election.stop();
        assertThat(one.leads()).isFalse();
        time.advance(Duration.ofSeconds(3));
        assertThat(stopped).isCompleted();
        assertThat(two.callbackLog).containsExactly("other: one", "leading after 77");
        assertThat(two.leads()).isTrue();
        assertThat(leases.lease().orElseThrow().leaseTransitions()).isEqualTo(1);
    }

    @Test
    void aDisconnectedLeaderStopsLeadingBeforeAnotherTakesOver() {
        SimulatedCandidate one = candidate("one");
        SimulatedCandidate two = candidate("two");
        startInTurn(one, two);
        time.advance(Duration.ofSeconds(10));
        one.connection.setNetworkCondition(NetworkCondition.CUT);
        time.advance(Duration.ofSeconds(11));
        assertThat(one.callbackLog).last().asString().startsWith("lost: it could not be renewed");
        assertThat(one.leads()).isFalse();
        assertThat(two.callbackLog).doesNotContain("leading after nothing");
        time.advance(Duration.ofSeconds(8));
        assertThat(leases.lease().orElseThrow().holderIdentity()).isEqualTo("two");
        // The writes of the one that did not let go must have ended before anything is listed or written.
        assertThat(two.callbackLog).doesNotContain("leading after nothing");
        assertThat(two.leads()).isFalse();
        time.advance(Duration.ofSeconds(5));
        assertThat(two.callbackLog).last().isEqualTo("leading after nothing");
        assertThat(two.leads()).isTrue();
    }

    @Test
    void aLeaderDoesNotWriteBeyondItsLastRenewal() {
        SimulatedCandidate one = candidate("one");
        one.start();
        time.advance(Duration.ofMillis(20));
        assertThat(one.election.holdsLeaseFor(Duration.ofSeconds(14))).isTrue();
        assertThat(one.election.holdsLeaseFor(Duration.ofSeconds(15))).isFalse();
        one.connection.setNetworkCondition(NetworkCondition.CUT);
        time.advance(Duration.ofSeconds(9));
        assertThat(one.election.holdsLeaseFor(Duration.ofSeconds(5))).isTrue();
        assertThat(one.election.holdsLeaseFor(Duration.ofSeconds(7))).isFalse();
    }

    @Test
    void aLostResponseDoesNotCostTheLease() {
        SimulatedCandidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(1));
        one.connection.setNetworkCondition(NetworkCondition.RESPONSES_LOST);
        time.advance(Duration.ofSeconds(3));
        one.connection.setNetworkCondition(NetworkCondition.HEALTHY);
        time.advance(Duration.ofSeconds(10));
        assertThat(one.callbackLog).containsExactly("leading after nothing");
        assertThat(one.leads()).isTrue();
    }

    @Test
    void aRestartedProcessOfTheSameNameTakesItsOwnLeaseBack() {
        SimulatedCandidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(1));
        one.connection.setNetworkCondition(NetworkCondition.CUT);
        SimulatedCandidate again = candidate("one");
        again.start();
        time.advance(Duration.ofSeconds(1));
        assertThat(again.leads()).isTrue();
    }

    @Test
    void renewalsCarryTheResumeVersion() {
        SimulatedCandidate one = candidate("one");
        one.start();
        one.resumeVersion = Optional.of("5");
        time.advance(Duration.ofSeconds(5));
        assertThat(leases.lease().orElseThrow().resumeVersion()).contains("5");
        one.resumeVersion = Optional.of("6");
        time.advance(Duration.ofSeconds(5));
        assertThat(leases.lease().orElseThrow().resumeVersion()).contains("6");
    }

    @Test
    void aLeaseReleasedDuringARenewalIsFree() {
        SimulatedCandidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(4).plusMillis(1));
        CompletionStage<Void> stopped = one.election.stop();
        time.advance(Duration.ofSeconds(1));
        assertThat(stopped).isCompleted();
        assertThat(leases.lease().orElseThrow().holderIdentity()).isEmpty();
    }

    @Test
    void aBerthThatStopsWhileItCreatesTheLeaseLeavesItFree() {
        SimulatedCandidate one = candidate("one");
        one.start();
        stopWhileTheLeaseIsWritten(one);
        assertThat(leases.lease().orElseThrow().holderIdentity())
                .as("holder that the next Berth would wait for")
                .isEmpty();
    }

    @Test
    void aBerthThatStopsWhileItTakesAFreeLeaseLeavesItFree() {
        SimulatedCandidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(1));
        one.election.stop();
        time.advance(Duration.ofSeconds(1));
        SimulatedCandidate two = candidate("two");
        two.start();
        stopWhileTheLeaseIsWritten(two);
        assertThat(leases.lease().orElseThrow().holderIdentity())
                .as("holder that the next Berth would wait for")
                .isEmpty();
    }

    /** A request takes 5 ms: the first reads the Lease, and the second writes it. */
    private void stopWhileTheLeaseIsWritten(SimulatedCandidate starting) {
        time.advance(Duration.ofMillis(7));
        CompletionStage<Void> stopped = starting.election.stop();
        time.advance(Duration.ofSeconds(1));
        assertThat(stopped).isCompleted();
        assertThat(starting.leads()).isFalse();
        assertThat(starting.callbackLog).isEmpty();
    }

    @Test
    void aLeaderThatLostLeadershipDoesNotStandAgainAndReleasesItsLease() {
        SimulatedCandidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(1));
        one.connection.setNetworkCondition(NetworkCondition.CUT);
        time.advance(Duration.ofSeconds(11));
        one.connection.setNetworkCondition(NetworkCondition.HEALTHY);
        time.advance(Duration.ofMinutes(1));
        assertThat(one.callbackLog).hasSize(2).last().asString().startsWith("lost: it could not be renewed");
        assertThat(one.leads()).isFalse();
        assertThat(leases.lease().orElseThrow().holderIdentity()).isEqualTo("one");
        CompletionStage<Void> stopped = one.election.stop();
        time.advance(Duration.ofSeconds(1));
        assertThat(stopped).isCompleted();
        assertThat(leases.lease().orElseThrow().holderIdentity()).isEmpty();
    }

    @Test
    void aStandbyThatCannotReadTheLeaseReportsNoLeaderUntilItCanReadAgain() {
        SimulatedCandidate one = candidate("one");
        SimulatedCandidate two = candidate("two");
        startInTurn(one, two);
        time.advance(Duration.ofSeconds(5));
        assertThat(two.reportedStandby).isEqualTo("one leads");
        two.connection.setNetworkCondition(NetworkCondition.CUT);
        time.advance(Duration.ofSeconds(8));
        assertThat(two.reportedStandby).isEqualTo("lease (kube-system/berth) cannot be read: timeout");
        two.connection.setNetworkCondition(NetworkCondition.HEALTHY);
        time.advance(Duration.ofSeconds(8));
        assertThat(two.reportedStandby).isEqualTo("one leads");
    }

    @Test
    void aStandbyThatCanReadAgainButYieldsTheLeaseReportsNoLeader() {
        SimulatedCandidate one = candidate("one");
        SimulatedCandidate two = candidate("two");
        two.yields = true;
        startInTurn(one, two);
        time.advance(Duration.ofSeconds(5));
        two.connection.setNetworkCondition(NetworkCondition.CUT);
        time.advance(Duration.ofSeconds(8));
        assertThat(two.reportedStandby).isEqualTo("lease (kube-system/berth) cannot be read: timeout");
        one.election.stop();
        two.connection.setNetworkCondition(NetworkCondition.HEALTHY);
        time.advance(Duration.ofSeconds(7));
        assertThat(two.log).last().isEqualTo("lease (kube-system/berth) can be read and written again");
        assertThat(two.leads()).isFalse();
        assertThat(two.reportedStandby).isEqualTo("not known yet who leads");
        two.connection.setNetworkCondition(NetworkCondition.CUT);
        time.advance(Duration.ofSeconds(8));
        assertThat(two.reportedStandby).isEqualTo("lease (kube-system/berth) cannot be read: timeout");
    }

    @Test
    void aLeaseThatCanBeReadButNotWrittenLogsOneWarning() {
        SimulatedCandidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(1));
        one.election.stop();
        time.advance(Duration.ofSeconds(1));
        SimulatedCandidate two = candidate("two");
        two.connection.setNetworkCondition(NetworkCondition.READ_ONLY);
        two.start();
        time.advance(Duration.ofSeconds(20));
        assertThat(two.log).containsExactly("lease (kube-system/berth) cannot be written: forbidden");
        assertThat(two.reportedStandby).isEqualTo("lease (kube-system/berth) cannot be written: forbidden");
        two.connection.setNetworkCondition(NetworkCondition.HEALTHY);
        time.advance(Duration.ofSeconds(5));
        assertThat(two.log).last().isEqualTo("lease (kube-system/berth) can be read and written again");
        assertThat(two.leads()).isTrue();
    }

    @Test
    void aStandbyReportsTheLastRenewTimeOfALeaderThatEnded() {
        SimulatedCandidate one = candidate("one");
        SimulatedCandidate two = candidate("two");
        startInTurn(one, two);
        time.advance(Duration.ofSeconds(5));
        one.machine.sleep();
        time.advance(Duration.ofSeconds(9));
        Instant last = leases.lease().flatMap(Lease::renewTime).orElseThrow();
        assertThat(two.reportedStandby).isEqualTo("one renewed last at " + last);
    }

    @Test
    void aCandidateThatFindsTheLeaseOfAKilledProcessDoesNotReportItAsLeader() {
        SimulatedCandidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(5));
        Instant last = leases.lease().flatMap(Lease::renewTime).orElseThrow();
        one.machine.sleep();
        time.advance(Duration.ofMinutes(2));
        SimulatedCandidate two = candidate("two");
        two.start();
        time.advance(Duration.ofSeconds(14));
        assertThat(two.reportedStandby).isEqualTo("one renewed last at " + last);
        assertThat(two.callbackLog).isEmpty();
        time.advance(Duration.ofSeconds(8));
        assertThat(two.callbackLog).containsExactly("leading after nothing");
    }

    @Test
    void anOutageLogsOneWarningAndOneRecovery() {
        SimulatedCandidate one = candidate("one");
        SimulatedCandidate two = candidate("two");
        startInTurn(one, two);
        time.advance(Duration.ofSeconds(3));
        one.connection.setNetworkCondition(NetworkCondition.CUT);
        two.connection.setNetworkCondition(NetworkCondition.CUT);
        time.advance(Duration.ofSeconds(5));
        one.connection.setNetworkCondition(NetworkCondition.HEALTHY);
        two.connection.setNetworkCondition(NetworkCondition.HEALTHY);
        time.advance(Duration.ofSeconds(20));
        assertThat(one.leads()).isTrue();
        assertThat(one.log)
                .containsExactly(
                        "lease (kube-system/berth) cannot be written: timeout",
                        "lease (kube-system/berth) can be read and written again");
        assertThat(two.log)
                .containsExactly(
                        "lease (kube-system/berth) cannot be read: timeout",
                        "lease (kube-system/berth) can be read and written again");
    }

    @Test
    void aStandbyThatStopsLeavesTheLeaseAsItIs() {
        SimulatedCandidate one = candidate("one");
        SimulatedCandidate two = candidate("two");
        startInTurn(one, two);
        time.advance(Duration.ofSeconds(3));
        CompletionStage<Void> stopped = two.election.stop();
        time.advance(Duration.ofSeconds(3));
        assertThat(stopped).isCompleted();
        assertThat(one.leads()).isTrue();
        assertThat(leases.lease().orElseThrow().holderIdentity()).isEqualTo("one");
    }

    @Test
    void aServerThatRejectsEveryRenewalIsNotFlooded() {
        SimulatedCandidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(1));
        one.connection.setNetworkCondition(NetworkCondition.ALWAYS_CONFLICT);
        time.advance(Duration.ofSeconds(10));
        assertThat(one.connection.conflictCount()).isBetween(10, 20);
        assertThat(one.callbackLog)
                .last()
                .isEqualTo(
                        "lost: it could not be renewed for 10000 ms; the last error is: another process changes it at every attempt");
    }

    @Test
    void aStandbyWhoseClockJumpsForwardStillWaitsTheWholeLeaseDuration() {
        SimulatedCandidate one = candidate("one");
        SimulatedCandidate two = candidate("two");
        startInTurn(one, two);
        time.advance(Duration.ofSeconds(10));
        one.connection.setNetworkCondition(NetworkCondition.CUT);
        time.advance(Duration.ofSeconds(3));
        two.machine.jumpClock(Duration.ofHours(1));
        time.advance(Duration.ofSeconds(2));
        one.connection.setNetworkCondition(NetworkCondition.HEALTHY);
        time.advance(Duration.ofMinutes(1));
        assertThat(one.callbackLog).containsExactly("leading after nothing");
        assertThat(one.leads()).isTrue();
        assertThat(two.callbackLog).containsExactly("other: one");
    }

    @Test
    void aLeaderWhoseClockJumpsForwardDoesNotWriteUntilTheNextRenewal() {
        SimulatedCandidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(4).plusMillis(2));
        one.machine.jumpClock(Duration.ofMinutes(1));
        time.advance(Duration.ofSeconds(1));
        assertThat(one.leads()).as("it may have slept").isFalse();
        time.advance(Duration.ofSeconds(2));
        assertThat(one.leads()).isTrue();
        assertThat(one.callbackLog).containsExactly("leading after nothing");
    }

    @Test
    void aDisconnectedLeaderStopsLeadingInTimeAlthoughItsClockJumpsBack() {
        SimulatedCandidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(1));
        one.connection.setNetworkCondition(NetworkCondition.CUT);
        one.machine.jumpClock(Duration.ofHours(-1));
        time.advance(Duration.ofSeconds(9));
        assertThat(one.election.holdsLeaseFor(Duration.ofSeconds(5))).isTrue();
        assertThat(one.election.holdsLeaseFor(Duration.ofSeconds(6))).isFalse();
        time.advance(Duration.ofSeconds(1));
        assertThat(one.callbackLog).last().asString().startsWith("lost: it could not be renewed");
        assertThat(one.leads()).isFalse();
    }

    @Test
    void aLeaderThatSleptNoticesItAlthoughItsClockHadJumpedBack() {
        SimulatedCandidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(1));
        one.machine.jumpClock(Duration.ofMinutes(-10));
        time.advance(Duration.ofSeconds(3));
        assertThat(one.leads()).isTrue();
        one.machine.sleep();
        time.advance(Duration.ofMinutes(1));
        one.machine.wake();
        assertThat(one.leads()).isFalse();
    }

    @Test
    void aLeaderThatSleptThroughItsLeaseNoticesOnWakeUp() {
        SimulatedCandidate one = candidate("one");
        SimulatedCandidate two = candidate("two");
        startInTurn(one, two);
        time.advance(Duration.ofSeconds(1));
        one.machine.sleep();
        time.advance(Duration.ofMinutes(1));
        assertThat(two.leads()).isTrue();
        one.machine.wake();
        assertThat(one.leads()).isFalse();
        time.advance(Duration.ofSeconds(3));
        assertThat(one.callbackLog).containsExactly("leading after nothing", "lost: two holds the lease");
        assertThat(two.leads()).isTrue();
    }

    @Test
    void invalidSettingsAreRejected() {
        assertThatThrownBy(() -> LeaderElectionSettings.of("ns", "", "me", Duration.ofSeconds(5)))
                .hasMessageContaining("lease (ns/)");
        assertThatThrownBy(() -> new LeaderElectionSettings(
                        "a",
                        "b",
                        "c",
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(2),
                        Duration.ZERO))
                .hasMessageContaining("leaseDuration (PT10S) must be longer than renewDeadline (PT10S)");
    }

    /** The first leads, and the second stands by. */
    private void startInTurn(SimulatedCandidate first, SimulatedCandidate second) {
        first.start();
        time.advance(Duration.ofSeconds(1));
        second.start();
    }

    private SimulatedCandidate candidate(String name) {
        return new SimulatedCandidate(name, leases, time);
    }
}
