package dev.berth.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SchedulingQueueTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Remedy ANYTHING = new Awaited(EnumSet.allOf(Hint.class), pod -> true);
    private static final Remedy NOTHING = new Awaited(EnumSet.allOf(Hint.class), pod -> false);

    private final SchedulingQueue queue = new SchedulingQueue(BackOff.DEFAULT);
    private Instant now = START;

    /** Helps the pods that it says, notes whom it was asked about, and must not be asked about other events. */
    private static final class Awaited implements Remedy {
        private final Set<Hint> hints;
        private final Predicate<String> helped;
        private final List<String> asked = new ArrayList<>();
        private boolean alike;
        private Set<PodUid> exceptions = Set.of();

        Awaited(Set<Hint> hints, Predicate<String> helped) {
            this.hints = EnumSet.copyOf(hints);
            this.helped = helped;
        }

        @Override
        public Set<Hint> hints() {
            return hints;
        }

        @Override
        public boolean mayComeFrom(Happening happening, PodUid pod) {
            assertThat(happening.hints()).containsAnyElementsOf(hints);
            asked.add(pod.value());
            return helped.test(pod.value());
        }

        @Override
        public Optional<Set<PodUid>> exceptions(Happening happening) {
            return alike ? Optional.of(exceptions) : Optional.empty();
        }

        @Override
        public void left(PodUid pod) {}

        @Override
        public Remedy apart() {
            return new Awaited(hints, helped);
        }
    }

    @Test
    void theMorePressingPodIsPlacedFirstAndAmongEqualsTheOlder() {
        offer("old-and-lowly", 0);
        advance(Duration.ofSeconds(1));
        offer("young-and-lowly", 0);
        advance(Duration.ofSeconds(1));
        offer("urgent", 100);
        assertThat(takeAll()).containsExactly("urgent", "old-and-lowly", "young-and-lowly");
    }

    @Test
    void aGatedPodIsNotTriedBeforeItsGatesAreGone() {
        queue.offer(pod("gated").gates(List.of("quota")).build(), now);
        assertThat(takeAll()).isEmpty();
        assertThat(queue.standing(uid("gated"))).contains(Standing.GATED);
        queue.offer(pod("gated").build(), now);
        assertThat(takeAll()).containsExactly("gated");
    }

    @Test
    void aWaitingPodThatIsGatedAgainStaysWhereNothingWakesIt() {
        refuse("p", ANYTHING);
        queue.offer(pod("p").gates(List.of("hold")).build(), now);
        queue.happened(aNodeCame(), now.plusSeconds(60));
        queue.advance(now.plusSeconds(600));
        assertThat(takeAll()).isEmpty();
    }

    @Test
    void aRefusedPodSleepsThroughWhatCannotHelpIt() {
        refuse("p", NOTHING);
        assertThat(queue.happened(aNodeCame(), now.plusSeconds(30))).isZero();
        assertThat(takeAll()).isEmpty();
    }

    @Test
    void noPodIsAskedAboutWhatItDoesNotWaitFor() {
        Awaited holds = new Awaited(Set.of(Hint.HOLD_GONE), pod -> true);
        Awaited nodes = new Awaited(Set.of(Hint.NODE_ADDED), pod -> true);
        refuse("for-a-hold", holds);
        refuse("for-a-node", nodes);
        assertThat(queue.happened(aNodeCame(), now)).isEqualTo(1);
        assertThat(holds.asked).isEmpty();
        assertThat(queue.standing(uid("for-a-hold"))).contains(Standing.WAITING);
    }

    @Test
    void podsThatWaitForTheSameAreAskedAboutOnceWhereTheyAreAlike() {
        Awaited remedy = new Awaited(Set.of(Hint.NODE_ADDED), pod -> true);
        remedy.alike = true;
        refuse("p", remedy);
        refuse("q", remedy);
        refuse("r", remedy);
        assertThat(queue.happened(aNodeCame(), now)).isEqualTo(3);
        assertThat(remedy.asked).hasSize(1);
        assertThat(queue.awaits(remedy)).isFalse();
    }

    @Test
    void ofPodsThatWaitForTheSameTheExceptionsAreAskedAboutOneByOneAndTheRestOnce() {
        Awaited remedy = new Awaited(Set.of(Hint.NODE_ADDED), pod -> pod.equals("q"));
        remedy.alike = true;
        remedy.exceptions = Set.of(uid("q"), uid("s"));
        Stream.of("p", "q", "r", "s", "t").forEach(name -> refuse(name, remedy));
        assertThat(queue.happened(aNodeCame(), now)).isEqualTo(1);
        assertThat(remedy.asked).containsExactlyInAnyOrder("p", "q", "s");
        assertThat(queue.standing(uid("q"))).isNotEqualTo(Optional.of(Standing.WAITING));
        assertThat(queue.standing(uid("r"))).contains(Standing.WAITING);
    }

    @Test
    void podsThatWaitForTheSameAreAskedAboutOneByOneWhereTheyAreNotAlike() {
        Awaited remedy = new Awaited(Set.of(Hint.NODE_ADDED), pod -> pod.equals("q"));
        refuse("p", remedy);
        refuse("q", remedy);
        assertThat(queue.happened(aNodeCame(), now)).isEqualTo(1);
        assertThat(queue.standing(uid("p"))).contains(Standing.WAITING);
        assertThat(queue.awaits(remedy)).isTrue();
    }

    @Test
    void whatBecomesOfUseLaterIsAskedAboutFromThenOn() {
        Awaited remedy = new Awaited(Set.of(Hint.HOLD_GONE), pod -> true);
        refuse("p", remedy);
        remedy.hints.add(Hint.NODE_ADDED);
        refuse("q", remedy);
        assertThat(queue.happened(aNodeCame(), now)).isEqualTo(2);
    }

    @Test
    void aRefusedPodIsTriedAgainWhenSomethingMayHelpButNotBeforeItsBackOff() {
        refuse("p", ANYTHING);
        assertThat(queue.happened(aNodeCame(), now)).isEqualTo(1);
        assertThat(queue.standing(uid("p"))).contains(Standing.BACKING_OFF);
        assertThat(queue.nextWake()).contains(now.plusSeconds(1));
        advance(Duration.ofMillis(999));
        assertThat(takeAll()).isEmpty();
        advance(Duration.ofMillis(1));
        assertThat(takeAll()).containsExactly("p");
    }

    @Test
    void aPodWhoseBackOffIsOverIsTriedAtOnceWhenHelpComes() {
        refuse("p", ANYTHING);
        advance(Duration.ofSeconds(2));
        queue.happened(aNodeCame(), now);
        assertThat(takeAll()).containsExactly("p");
    }

    @Test
    void backOffDoublesFromOneSecondToTen() {
        List<Duration> waits = new ArrayList<>();
        offer("p", 0);
        for (int i = 0; i < 6; i++) {
            assertThat(takeAll()).containsExactly("p");
            queue.failed(uid("p"), now);
            Instant ready = queue.nextWake().orElseThrow();
            waits.add(Duration.between(now, ready));
            now = ready;
            queue.advance(now);
        }
        assertThat(waits).extracting(Duration::toSeconds).containsExactly(1L, 2L, 4L, 8L, 10L, 10L);
    }

    @Test
    void aRefusedPodIsLookedAtAgainAfterFiveMinutesWhateverHappens() {
        refuse("p", NOTHING);
        advance(Duration.ofMinutes(5).minusMillis(1));
        assertThat(takeAll()).isEmpty();
        advance(Duration.ofMillis(1));
        assertThat(takeAll()).containsExactly("p");
    }

    @Test
    void aPodThatCameToAskForLessNeedNotWait() {
        refuse("p", NOTHING);
        advance(Duration.ofSeconds(5));
        queue.reconsider(uid("p"), now);
        assertThat(takeAll()).containsExactly("p");
    }

    @Test
    void aRemovedPodIsNeverTakenWhereverItStood() {
        offer("active", 0);
        refuse("waiting", ANYTHING);
        refuse("backing-off", ANYTHING);
        queue.happened(aNodeCame(), now);
        List.of("active", "waiting", "backing-off").forEach(name -> queue.remove(uid(name)));
        queue.advance(now.plus(Duration.ofHours(1)));
        assertThat(takeAll()).isEmpty();
        assertThat(queue.nextWake()).isEmpty();
    }

    @Test
    void aPodGivenBackHasLostNeitherItsTurnNorAnAttempt() {
        offer("p", 0);
        offer("q", 0);
        queue.take(now);
        queue.giveBack(uid("p"));
        assertThat(queue.attempts(uid("p"))).isZero();
        assertThat(takeAll()).containsExactly("p", "q");
    }

    @Test
    void aRaisedPriorityCountsAtOnce() {
        offer("p", 0);
        offer("q", 1);
        queue.offer(pod("p").priority(2).build(), now);
        assertThat(takeAll()).containsExactly("p", "q");
    }

    @Test
    void backOffRefusesToGrowDownwards() {
        assertThatThrownBy(() -> new BackOff(Duration.ofSeconds(5), Duration.ofSeconds(1)))
                .hasMessageContaining("PT5S")
                .hasMessageContaining("PT1S");
    }

    @Test
    void anAttemptKnowsSinceWhenThePodWasWantedAndWhenItBegan() {
        queue.offer(pod("p").gates(List.of("g")).build(), now);
        Instant ungated = now.plusSeconds(10);
        queue.offer(pod("p").build(), ungated);
        assertThat(queue.attempt(uid("p"))).as("not tried yet").isEmpty();
        queue.take(ungated.plusSeconds(1));
        assertThat(queue.attempt(uid("p"))).contains(new Attempt(1, ungated, ungated.plusSeconds(1)));
        queue.failed(uid("p"), ungated.plusSeconds(2));
        queue.advance(ungated.plusSeconds(5));
        queue.take(ungated.plusSeconds(5));
        assertThat(queue.attempt(uid("p"))).contains(new Attempt(2, ungated, ungated.plusSeconds(5)));
    }

    @Test
    void whereverPodsComeToStandIsCountedByWhatBroughtThemThere() {
        queue.offer(pod("gated").gates(List.of("g")).build(), now);
        refuse("p", ANYTHING);
        queue.happened(aNodeCame(), now);
        advance(Duration.ofSeconds(1));
        queue.take(now);
        queue.giveBack(uid("p"));
        queue.take(now);
        queue.refused(uid("p"), NOTHING, now);
        advance(SchedulingQueue.PATIENCE);
        queue.take(now);
        queue.failed(uid("p"), now);

        assertThat(queue.arrivals())
                .isEqualTo(Map.of(
                        Standing.GATED,
                        Map.of("UnschedulablePodAdd", 1L),
                        Standing.ACTIVE,
                        Map.of("UnschedulablePodAdd", 1L, "BackoffComplete", 1L, "UnschedulableTimeout", 1L),
                        Standing.WAITING,
                        Map.of("ScheduleAttemptFailure", 2L),
                        Standing.BACKING_OFF,
                        Map.of("NodeAdd", 1L, "ScheduleAttemptFailure", 1L)));
    }

    /** Whatever is done with it, every pod stands in exactly one place and none is lost. */
    @Test
    void noHistoryLosesOrDoublesAPod() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            SchedulingQueue any = new SchedulingQueue(BackOff.DEFAULT);
            Set<PodUid> known = new TreeSet<>();
            Instant time = START;
            for (int step = 0; step < 300; step++) {
                time = time.plusMillis(random.nextInt(3000));
                step(any, known, random, time);
                int sum = any.counts().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum();
                assertThat(sum).as("seed %d step %d", seed, step).isEqualTo(known.size());
            }
            drains(any, known, time, seed);
        }
    }

    private static void step(SchedulingQueue any, Set<PodUid> known, Random random, Instant time) {
        PodUid some = uid("p" + random.nextInt(20));
        switch (random.nextInt(8)) {
            case 0, 1 -> {
                List<String> gates = random.nextInt(5) == 0 ? List.of("g") : List.of();
                any.offer(
                        pod(some.value())
                                .priority(random.nextInt(3))
                                .gates(gates)
                                .build(),
                        time);
                known.add(some);
            }
            case 2 -> {
                any.remove(some);
                known.remove(some);
            }
            case 3 ->
                any.take(time)
                        .ifPresent(uid -> any.refused(
                                uid,
                                new Awaited(
                                        Set.of(random.nextBoolean() ? Hint.NODE_ADDED : Hint.POD_GONE),
                                        pod -> pod.endsWith("1")),
                                time));
            case 4 -> any.take(time).ifPresent(uid -> any.failed(uid, time));
            case 5 -> any.take(time).ifPresent(any::giveBack);
            case 6 -> any.happened(aNodeCame(), time);
            default -> any.advance(time);
        }
    }

    /** Ungated, and with time enough, each pod comes out once. */
    private static void drains(SchedulingQueue any, Set<PodUid> known, Instant time, long seed) {
        known.forEach(uid -> any.offer(pod(uid.value()).build(), time));
        any.advance(time.plus(Duration.ofHours(1)));
        assertThat(takeAll(any, time)).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(known);
    }

    private void offer(String name, int priority) {
        queue.offer(pod(name).priority(priority).build(), now);
    }

    private void refuse(String name, Remedy remedy) {
        offer(name, 1_000);
        assertThat(queue.take(now)).contains(uid(name));
        queue.refused(uid(name), remedy, now);
    }

    private void advance(Duration by) {
        now = now.plus(by);
        queue.advance(now);
    }

    private List<String> takeAll() {
        return takeAll(queue, now).stream().map(PodUid::value).toList();
    }

    private static List<PodUid> takeAll(SchedulingQueue queue, Instant now) {
        return Stream.generate(() -> queue.take(now))
                .takeWhile(Optional::isPresent)
                .map(Optional::orElseThrow)
                .toList();
    }

    private static Happening aNodeCame() {
        Node node =
                new Node(new NodeUid("n"), "n", Labels.NONE, Labels.NONE, Resources.NONE, false, List.of(), List.of());
        NodeState state = new NodeState(
                0,
                1,
                node,
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                List.of(),
                List.of(),
                List.of());
        return new Happening.NodeChanged(Optional.empty(), state);
    }

    private static Pod.Builder pod(String name) {
        return Pod.builder(uid(name), "default", name);
    }

    private static PodUid uid(String name) {
        return new PodUid(name);
    }
}
