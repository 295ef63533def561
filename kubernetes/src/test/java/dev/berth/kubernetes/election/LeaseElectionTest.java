package dev.berth.kubernetes.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kubernetes.election.FakeLeases.Weather;
import dev.berth.kubernetes.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class LeaseElectionTest {
    private final ManualTime time = new ManualTime();
    private final FakeLeases leases = new FakeLeases(time);

    @Test
    void theFirstToComeLeadsAndTheSecondKnowsWho() {
        Candidate one = candidate("one");
        Candidate two = candidate("two");
        startInTurn(one, two);
        time.advance(Duration.ofMinutes(5));
        assertThat(one.diary).containsExactly("leading after nothing");
        assertThat(two.diary).containsExactly("other: one");
        assertThat(one.leads()).isTrue();
        assertThat(two.leads()).isFalse();
    }

    @Test
    void aLeaderThatLetsGoIsFollowedAtOnce() {
        Candidate one = candidate("one");
        Candidate two = candidate("two");
        startInTurn(one, two);
        time.advance(Duration.ofSeconds(10));
        one.durable = Optional.of("77");
        CompletionStage<Void> stopped = one.election.stop();
        assertThat(one.leads()).isFalse();
        time.advance(Duration.ofSeconds(3));
        assertThat(stopped).isCompleted();
        assertThat(two.diary).containsExactly("other: one", "leading after 77");
        assertThat(two.leads()).isTrue();
        assertThat(leases.lease().orElseThrow().transitions()).isEqualTo(1);
    }

    @Test
    void aLeaderThatIsCutOffGivesUpBeforeAnotherTakesOver() {
        Candidate one = candidate("one");
        Candidate two = candidate("two");
        startInTurn(one, two);
        time.advance(Duration.ofSeconds(10));
        one.way.weather(Weather.CUT);
        time.advance(Duration.ofSeconds(11));
        assertThat(one.diary).last().asString().startsWith("lost: it could not be renewed");
        assertThat(one.leads()).isFalse();
        assertThat(two.diary).doesNotContain("leading after nothing");
        time.advance(Duration.ofSeconds(8));
        assertThat(leases.lease().orElseThrow().holder()).isEqualTo("two");
        // The writes of the one that did not let go must have ended before anything is listed or written.
        assertThat(two.diary).doesNotContain("leading after nothing");
        assertThat(two.leads()).isFalse();
        time.advance(Duration.ofSeconds(5));
        assertThat(two.diary).last().isEqualTo("leading after nothing");
        assertThat(two.leads()).isTrue();
    }

    @Test
    void theLeaseIsNotTakenForLongerThanTheLastRenewalCovers() {
        Candidate one = candidate("one");
        one.start();
        time.advance(Duration.ofMillis(20));
        assertThat(one.election.covers(Duration.ofSeconds(14))).isTrue();
        assertThat(one.election.covers(Duration.ofSeconds(15))).isFalse();
        one.way.weather(Weather.CUT);
        time.advance(Duration.ofSeconds(9));
        assertThat(one.election.covers(Duration.ofSeconds(5))).isTrue();
        assertThat(one.election.covers(Duration.ofSeconds(7))).isFalse();
    }

    @Test
    void anAnswerThatIsLostDoesNotCostTheLease() {
        Candidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(1));
        one.way.weather(Weather.DEAF);
        time.advance(Duration.ofSeconds(3));
        one.way.weather(Weather.CLEAR);
        time.advance(Duration.ofSeconds(10));
        assertThat(one.diary).containsExactly("leading after nothing");
        assertThat(one.leads()).isTrue();
    }

    @Test
    void aRestartedProcessOfTheSameNameTakesItsOwnLeaseBack() {
        Candidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(1));
        one.way.weather(Weather.CUT);
        Candidate again = candidate("one");
        again.start();
        time.advance(Duration.ofSeconds(1));
        assertThat(again.leads()).isTrue();
    }

    @Test
    void renewalsCarryTheDurableVersion() {
        Candidate one = candidate("one");
        one.start();
        one.durable = Optional.of("5");
        time.advance(Duration.ofSeconds(5));
        assertThat(leases.lease().orElseThrow().durableVersion()).contains("5");
        one.durable = Optional.of("6");
        time.advance(Duration.ofSeconds(5));
        assertThat(leases.lease().orElseThrow().durableVersion()).contains("6");
    }

    @Test
    void letGoWhileARenewalIsUnderWayTheLeaseIsFreeAllTheSame() {
        Candidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(4).plusMillis(1));
        CompletionStage<Void> stopped = one.election.stop();
        time.advance(Duration.ofSeconds(1));
        assertThat(stopped).isCompleted();
        assertThat(leases.lease().orElseThrow().holder()).isEmpty();
    }

    @Test
    void aBerthThatStopsWhileItCreatesTheLeaseLeavesItFree() {
        Candidate one = candidate("one");
        one.start();
        stopWhileTheLeaseIsWritten(one);
        assertThat(leases.lease().orElseThrow().holder())
                .as("holder that the next Berth would wait for")
                .isEmpty();
    }

    @Test
    void aBerthThatStopsWhileItTakesAFreeLeaseLeavesItFree() {
        Candidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(1));
        one.election.stop();
        time.advance(Duration.ofSeconds(1));
        Candidate two = candidate("two");
        two.start();
        stopWhileTheLeaseIsWritten(two);
        assertThat(leases.lease().orElseThrow().holder())
                .as("holder that the next Berth would wait for")
                .isEmpty();
    }

    /** A request takes 5 ms: the first reads the Lease, and the second writes it. */
    private void stopWhileTheLeaseIsWritten(Candidate starting) {
        time.advance(Duration.ofMillis(7));
        CompletionStage<Void> stopped = starting.election.stop();
        time.advance(Duration.ofSeconds(1));
        assertThat(stopped).isCompleted();
        assertThat(starting.leads()).isFalse();
        assertThat(starting.diary).isEmpty();
    }

    @Test
    void aLeaderThatLostItsLeadStandsNoMoreAndLetsGoOfWhatBearsItsName() {
        Candidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(1));
        one.way.weather(Weather.CUT);
        time.advance(Duration.ofSeconds(11));
        one.way.weather(Weather.CLEAR);
        time.advance(Duration.ofMinutes(1));
        assertThat(one.diary).hasSize(2).last().asString().startsWith("lost: it could not be renewed");
        assertThat(one.leads()).isFalse();
        assertThat(leases.lease().orElseThrow().holder()).isEqualTo("one");
        CompletionStage<Void> stopped = one.election.stop();
        time.advance(Duration.ofSeconds(1));
        assertThat(stopped).isCompleted();
        assertThat(leases.lease().orElseThrow().holder()).isEmpty();
    }

    @Test
    void aStandbyThatCannotReadTheLeaseDoesNotSayWhoLeadsUntilItCanAgain() {
        Candidate one = candidate("one");
        Candidate two = candidate("two");
        startInTurn(one, two);
        time.advance(Duration.ofSeconds(5));
        assertThat(two.standing).isEqualTo("one leads");
        two.way.weather(Weather.CUT);
        time.advance(Duration.ofSeconds(8));
        assertThat(two.standing).isEqualTo("lease (kube-system/berth) cannot be read: timeout");
        two.way.weather(Weather.CLEAR);
        time.advance(Duration.ofSeconds(8));
        assertThat(two.standing).isEqualTo("one leads");
    }

    @Test
    void aStandbyThatCanReadTheLeaseAgainButLeavesItToABetterMemberSaysThatNobodyIsKnownToLead() {
        Candidate one = candidate("one");
        Candidate two = candidate("two");
        two.defers = true;
        startInTurn(one, two);
        time.advance(Duration.ofSeconds(5));
        two.way.weather(Weather.CUT);
        time.advance(Duration.ofSeconds(8));
        assertThat(two.standing).isEqualTo("lease (kube-system/berth) cannot be read: timeout");
        one.election.stop();
        two.way.weather(Weather.CLEAR);
        time.advance(Duration.ofSeconds(7));
        assertThat(two.log).last().isEqualTo("lease (kube-system/berth) can be read and written again");
        assertThat(two.leads()).isFalse();
        assertThat(two.standing).isEqualTo("not known yet who leads");
        two.way.weather(Weather.CUT);
        time.advance(Duration.ofSeconds(8));
        assertThat(two.standing).isEqualTo("lease (kube-system/berth) cannot be read: timeout");
    }

    @Test
    void aLeaseThatCanBeReadButNotWrittenIsOneWarningInTheLog() {
        Candidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(1));
        one.election.stop();
        time.advance(Duration.ofSeconds(1));
        Candidate two = candidate("two");
        two.way.weather(Weather.READ_ONLY);
        two.start();
        time.advance(Duration.ofSeconds(20));
        assertThat(two.log).containsExactly("lease (kube-system/berth) cannot be written: forbidden");
        assertThat(two.standing).isEqualTo("lease (kube-system/berth) cannot be written: forbidden");
        two.way.weather(Weather.CLEAR);
        time.advance(Duration.ofSeconds(5));
        assertThat(two.log).last().isEqualTo("lease (kube-system/berth) can be read and written again");
        assertThat(two.leads()).isTrue();
    }

    @Test
    void aStandbySaysWhenTheLeaderRenewedLastIfTheLeaderHasEnded() {
        Candidate one = candidate("one");
        Candidate two = candidate("two");
        startInTurn(one, two);
        time.advance(Duration.ofSeconds(5));
        one.machine.sleep();
        time.advance(Duration.ofSeconds(9));
        Instant last = leases.lease().flatMap(Lease::renewed).orElseThrow();
        assertThat(two.standing).isEqualTo("one renewed last at " + last);
    }

    @Test
    void aBerthThatFindsTheLeaseOfOneThatWasKilledDoesNotSayThatItLeads() {
        Candidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(5));
        Instant last = leases.lease().flatMap(Lease::renewed).orElseThrow();
        one.machine.sleep();
        time.advance(Duration.ofMinutes(2));
        Candidate two = candidate("two");
        two.start();
        time.advance(Duration.ofSeconds(14));
        assertThat(two.standing).isEqualTo("one renewed last at " + last);
        assertThat(two.diary).isEmpty();
        time.advance(Duration.ofSeconds(8));
        assertThat(two.diary).containsExactly("leading after nothing");
    }

    @Test
    void anOutageIsOneWarningInTheLogAndOneLineWhenItIsOver() {
        Candidate one = candidate("one");
        Candidate two = candidate("two");
        startInTurn(one, two);
        time.advance(Duration.ofSeconds(3));
        one.way.weather(Weather.CUT);
        two.way.weather(Weather.CUT);
        time.advance(Duration.ofSeconds(5));
        one.way.weather(Weather.CLEAR);
        two.way.weather(Weather.CLEAR);
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
    void whoeverWaitsLetsGoOfNothing() {
        Candidate one = candidate("one");
        Candidate two = candidate("two");
        startInTurn(one, two);
        time.advance(Duration.ofSeconds(3));
        CompletionStage<Void> stopped = two.election.stop();
        time.advance(Duration.ofSeconds(3));
        assertThat(stopped).isCompleted();
        assertThat(one.leads()).isTrue();
        assertThat(leases.lease().orElseThrow().holder()).isEqualTo("one");
    }

    @Test
    void aServerThatTakesNoRenewalIsNotFloodedWithThem() {
        Candidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(1));
        one.way.weather(Weather.REFUSED);
        time.advance(Duration.ofSeconds(10));
        assertThat(one.way.askedInVain()).isBetween(10, 20);
        assertThat(one.diary)
                .last()
                .isEqualTo("lost: it could not be renewed for 10000 ms, at last because: others write it each time");
    }

    @Test
    void aStandbyWhoseClockIsPutForwardWaitsForALateRenewalAsLongAsAnyOther() {
        Candidate one = candidate("one");
        Candidate two = candidate("two");
        startInTurn(one, two);
        time.advance(Duration.ofSeconds(10));
        one.way.weather(Weather.CUT);
        time.advance(Duration.ofSeconds(3));
        two.machine.putClock(Duration.ofHours(1));
        time.advance(Duration.ofSeconds(2));
        one.way.weather(Weather.CLEAR);
        time.advance(Duration.ofMinutes(1));
        assertThat(one.diary).containsExactly("leading after nothing");
        assertThat(one.leads()).isTrue();
        assertThat(two.diary).containsExactly("other: one");
    }

    @Test
    void aLeaderWhoseClockIsPutForwardWhileItRenewsIsUnsureUntilTheNextRenewal() {
        Candidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(4).plusMillis(2));
        one.machine.putClock(Duration.ofMinutes(1));
        time.advance(Duration.ofSeconds(1));
        assertThat(one.leads()).as("it may have slept").isFalse();
        time.advance(Duration.ofSeconds(2));
        assertThat(one.leads()).isTrue();
        assertThat(one.diary).containsExactly("leading after nothing");
    }

    @Test
    void aLeaderThatIsCutOffGivesUpInTimeThoughItsClockIsPutBack() {
        Candidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(1));
        one.way.weather(Weather.CUT);
        one.machine.putClock(Duration.ofHours(-1));
        time.advance(Duration.ofSeconds(9));
        assertThat(one.election.covers(Duration.ofSeconds(5))).isTrue();
        assertThat(one.election.covers(Duration.ofSeconds(6))).isFalse();
        time.advance(Duration.ofSeconds(1));
        assertThat(one.diary).last().asString().startsWith("lost: it could not be renewed");
        assertThat(one.leads()).isFalse();
    }

    @Test
    void aLeaderThatSleptKnowsThoughItsClockHadBeenPutBackBefore() {
        Candidate one = candidate("one");
        one.start();
        time.advance(Duration.ofSeconds(1));
        one.machine.putClock(Duration.ofMinutes(-10));
        time.advance(Duration.ofSeconds(3));
        assertThat(one.leads()).isTrue();
        one.machine.sleep();
        time.advance(Duration.ofMinutes(1));
        one.machine.wake();
        assertThat(one.leads()).isFalse();
    }

    @Test
    void aLeaderThatSleptThroughItsLeaseKnowsWhenItWakes() {
        Candidate one = candidate("one");
        Candidate two = candidate("two");
        startInTurn(one, two);
        time.advance(Duration.ofSeconds(1));
        one.machine.sleep();
        time.advance(Duration.ofMinutes(1));
        assertThat(two.leads()).isTrue();
        one.machine.wake();
        assertThat(one.leads()).isFalse();
        time.advance(Duration.ofSeconds(3));
        assertThat(one.diary).containsExactly("leading after nothing", "lost: two holds the lease");
        assertThat(two.leads()).isTrue();
    }

    @Test
    void settingsThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> ElectionSettings.of("ns", "", "me", Duration.ofSeconds(5)))
                .hasMessageContaining("lease (ns/)");
        assertThatThrownBy(() -> new ElectionSettings(
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
    private void startInTurn(Candidate first, Candidate second) {
        first.start();
        time.advance(Duration.ofSeconds(1));
        second.start();
    }

    private Candidate candidate(String name) {
        return new Candidate(name, leases, time);
    }
}
