package dev.berth.kubernetes.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.kubernetes.election.FakeLeases.Weather;
import dev.berth.kubernetes.time.ManualTime;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LeaseElectionTest {
    private final ManualTime time = new ManualTime();
    private final FakeLeases leases = new FakeLeases(time);

    @Test
    void theFirstToComeLeadsAndTheSecondKnowsWho() {
        Candidate one = candidate("one");
        Candidate two = candidate("two");
        one.start();
        time.advance(Duration.ofSeconds(1));
        two.start();
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
        one.start();
        time.advance(Duration.ofSeconds(1));
        two.start();
        time.advance(Duration.ofSeconds(10));
        one.durable = Optional.of("77");
        assertThat(one.election.stop()).isNotNull();
        assertThat(one.leads()).isFalse();
        time.advance(Duration.ofSeconds(3));
        assertThat(two.diary).containsExactly("other: one", "leading after 77");
        assertThat(two.leads()).isTrue();
        assertThat(leases.lease().orElseThrow().transitions()).isEqualTo(1);
    }

    @Test
    void aLeaderThatIsCutOffGivesUpBeforeAnotherTakesOver() {
        Candidate one = candidate("one");
        Candidate two = candidate("two");
        one.start();
        time.advance(Duration.ofSeconds(1));
        two.start();
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
        assertThat(one.election.coversUntil(time.instant().plusSeconds(14))).isTrue();
        assertThat(one.election.coversUntil(time.instant().plusSeconds(15))).isFalse();
        one.way.weather(Weather.CUT);
        time.advance(Duration.ofSeconds(9));
        assertThat(one.election.coversUntil(time.instant().plusSeconds(5))).isTrue();
        assertThat(one.election.coversUntil(time.instant().plusSeconds(7))).isFalse();
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
        assertThat(one.election.stop()).isNotNull();
        time.advance(Duration.ofSeconds(1));
        assertThat(leases.lease().orElseThrow().holder()).isEmpty();
    }

    @Test
    void neverAreTwoSureToLeadAtOnce() {
        List<Weather> weathers =
                List.of(Weather.CLEAR, Weather.CLEAR, Weather.CLEAR, Weather.CUT, Weather.DEAF, Weather.SLOW);
        int led = 0;
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            ManualTime clock = new ManualTime();
            FakeLeases server = new FakeLeases(clock);
            List<Candidate> candidates = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Duration wrong = Duration.ofSeconds(random.nextInt(-100, 100));
                candidates.add(new Candidate("c" + i, server, clock, InstantSource.offset(clock, wrong)));
                candidates.get(i).start();
            }
            for (int step = 0; step < 400; step++) {
                Candidate some = candidates.get(random.nextInt(3));
                some.way.weather(weathers.get(random.nextInt(weathers.size())));
                clock.advance(Duration.ofMillis(random.nextInt(3000)));
                long sure = candidates.stream().filter(Candidate::leads).count();
                assertThat(sure).as("seed %d, step %d", seed, step).isLessThanOrEqualTo(1);
                led += (int) sure;
            }
        }
        assertThat(led).isGreaterThan(40_000);
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

    private Candidate candidate(String name) {
        return new Candidate(name, leases, time, time);
    }

    private static final class Candidate implements ElectionObserver {
        private final FakeLeases.Way way;
        private final InstantSource clock;
        private final LeaseElection election;
        private final List<String> diary = new ArrayList<>();
        private Optional<String> durable = Optional.empty();

        private Candidate(String name, FakeLeases leases, ManualTime time, InstantSource clock) {
            this.way = leases.way();
            this.clock = clock;
            this.election = new LeaseElection(
                    ElectionSettings.of("kube-system", "berth", name, Duration.ofSeconds(5)),
                    way,
                    new LeaseElection.Time(time, clock),
                    () -> durable,
                    this);
        }

        private void start() {
            election.start();
        }

        private boolean leads() {
            return election.coversUntil(clock.instant().plusMillis(1));
        }

        @Override
        public void leading(Optional<String> durableVersion) {
            diary.add("leading after " + durableVersion.orElse("nothing"));
        }

        @Override
        public void lost(String why) {
            diary.add("lost: " + why);
        }

        @Override
        public void otherLeads(String identity) {
            diary.add("other: " + identity);
        }
    }
}
