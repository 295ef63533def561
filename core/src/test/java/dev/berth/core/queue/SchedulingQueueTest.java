package dev.berth.core.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.RandomSeeds;
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
    private static final QueueingHint ANYTHING = new RecordingHint(EnumSet.allOf(ClusterEventKind.class), pod -> true);
    private static final QueueingHint NOTHING = new RecordingHint(EnumSet.allOf(ClusterEventKind.class), pod -> false);

    private final SchedulingQueue queue = new SchedulingQueue(BackoffPolicy.DEFAULT);
    private Instant now = START;

    /** Helps the given pods, records the pods that it was called for, and must not be called for other events. */
    private static final class RecordingHint implements QueueingHint {
        private final Set<ClusterEventKind> clusterEventKinds;
        private final Predicate<String> helped;
        private final List<String> asked = new ArrayList<>();
        private boolean alike;
        private Set<PodUid> exceptions = Set.of();

        RecordingHint(Set<ClusterEventKind> clusterEventKinds, Predicate<String> helped) {
            this.clusterEventKinds = EnumSet.copyOf(clusterEventKinds);
            this.helped = helped;
        }

        @Override
        public Set<ClusterEventKind> eventKinds() {
            return clusterEventKinds;
        }

        @Override
        public boolean mayHelp(ClusterEvent clusterEvent, PodUid pod) {
            assertThat(clusterEvent.kinds()).containsAnyElementsOf(clusterEventKinds);
            asked.add(pod.value());
            return helped.test(pod.value());
        }

        @Override
        public Optional<Set<PodUid>> podsToCheckOneByOne(ClusterEvent clusterEvent) {
            return alike ? Optional.of(exceptions) : Optional.empty();
        }

        @Override
        public void removePod(PodUid pod) {}

        @Override
        public QueueingHint copyForOnePod() {
            return new RecordingHint(clusterEventKinds, helped);
        }
    }

    @Test
    void thePodOfHigherPriorityIsPoppedFirstAndAmongEqualsTheOlder() {
        offer("old-and-lowly", 0);
        advance(Duration.ofSeconds(1));
        offer("young-and-lowly", 0);
        advance(Duration.ofSeconds(1));
        offer("urgent", 100);
        assertThat(popAll()).containsExactly("urgent", "old-and-lowly", "young-and-lowly");
    }

    @Test
    void aGatedPodIsNotTriedBeforeItsGatesAreGone() {
        queue.addOrUpdate(pod("gated").schedulingGates(List.of("quota")).build(), now);
        assertThat(popAll()).isEmpty();
        assertThat(queue.stateOf(uid("gated"))).contains(QueueState.GATED);
        queue.addOrUpdate(pod("gated").build(), now);
        assertThat(popAll()).containsExactly("gated");
    }

    @Test
    void anUnschedulablePodThatIsGatedAgainIsRequeuedByNoEvent() {
        refuse("p", ANYTHING);
        queue.addOrUpdate(pod("p").schedulingGates(List.of("hold")).build(), now);
        queue.onClusterEvent(nodeAdded(), now.plusSeconds(60));
        queue.advance(now.plusSeconds(600));
        assertThat(popAll()).isEmpty();
    }

    @Test
    void anUnschedulablePodIsNotRequeuedByEventsThatCannotHelpIt() {
        refuse("p", NOTHING);
        assertThat(queue.onClusterEvent(nodeAdded(), now.plusSeconds(30))).isZero();
        assertThat(popAll()).isEmpty();
    }

    @Test
    void noHintIsAskedAboutEventKindsItDoesNotList() {
        RecordingHint holds = new RecordingHint(Set.of(ClusterEventKind.HOLD_REMOVED), pod -> true);
        RecordingHint nodes = new RecordingHint(Set.of(ClusterEventKind.NODE_ADDED), pod -> true);
        refuse("for-a-hold", holds);
        refuse("for-a-node", nodes);
        assertThat(queue.onClusterEvent(nodeAdded(), now)).isEqualTo(1);
        assertThat(holds.asked).isEmpty();
        assertThat(queue.stateOf(uid("for-a-hold"))).contains(QueueState.UNSCHEDULABLE);
    }

    @Test
    void podsThatShareAHintAreAskedAboutOnce() {
        RecordingHint hint = new RecordingHint(Set.of(ClusterEventKind.NODE_ADDED), pod -> true);
        hint.alike = true;
        refuse("p", hint);
        refuse("q", hint);
        refuse("r", hint);
        assertThat(queue.onClusterEvent(nodeAdded(), now)).isEqualTo(3);
        assertThat(hint.asked).hasSize(1);
        assertThat(queue.hasPodsWaitingFor(hint)).isFalse();
    }

    @Test
    void ofPodsThatShareAHintTheExceptionsAreAskedAboutOneByOneAndTheRestOnce() {
        RecordingHint hint = new RecordingHint(Set.of(ClusterEventKind.NODE_ADDED), pod -> pod.equals("q"));
        hint.alike = true;
        hint.exceptions = Set.of(uid("q"), uid("s"));
        Stream.of("p", "q", "r", "s", "t").forEach(name -> refuse(name, hint));
        assertThat(queue.onClusterEvent(nodeAdded(), now)).isEqualTo(1);
        assertThat(hint.asked).containsExactlyInAnyOrder("p", "q", "s");
        assertThat(queue.stateOf(uid("q"))).isNotEqualTo(Optional.of(QueueState.UNSCHEDULABLE));
        assertThat(queue.stateOf(uid("r"))).contains(QueueState.UNSCHEDULABLE);
    }

    @Test
    void podsThatShareAHintButDifferAreAskedAboutOneByOne() {
        RecordingHint hint = new RecordingHint(Set.of(ClusterEventKind.NODE_ADDED), pod -> pod.equals("q"));
        refuse("p", hint);
        refuse("q", hint);
        assertThat(queue.onClusterEvent(nodeAdded(), now)).isEqualTo(1);
        assertThat(queue.stateOf(uid("p"))).contains(QueueState.UNSCHEDULABLE);
        assertThat(queue.hasPodsWaitingFor(hint)).isTrue();
    }

    @Test
    void anEventKindThatAHintAddsLaterIsAskedAboutFromThenOn() {
        RecordingHint hint = new RecordingHint(Set.of(ClusterEventKind.HOLD_REMOVED), pod -> true);
        refuse("p", hint);
        hint.clusterEventKinds.add(ClusterEventKind.NODE_ADDED);
        refuse("q", hint);
        assertThat(queue.onClusterEvent(nodeAdded(), now)).isEqualTo(2);
    }

    @Test
    void anUnschedulablePodIsRetriedAfterAHelpfulEventButNotBeforeItsBackoff() {
        refuse("p", ANYTHING);
        assertThat(queue.onClusterEvent(nodeAdded(), now)).isEqualTo(1);
        assertThat(queue.stateOf(uid("p"))).contains(QueueState.BACKING_OFF);
        assertThat(queue.nextWake()).contains(now.plusSeconds(1));
        advance(Duration.ofMillis(999));
        assertThat(popAll()).isEmpty();
        advance(Duration.ofMillis(1));
        assertThat(popAll()).containsExactly("p");
    }

    @Test
    void aPodWhoseBackoffIsOverIsRetriedAtOnceAfterAHelpfulEvent() {
        refuse("p", ANYTHING);
        advance(Duration.ofSeconds(2));
        queue.onClusterEvent(nodeAdded(), now);
        assertThat(popAll()).containsExactly("p");
    }

    @Test
    void backoffDoublesFromOneSecondToTen() {
        List<Duration> waits = new ArrayList<>();
        offer("p", 0);
        for (int i = 0; i < 6; i++) {
            assertThat(popAll()).containsExactly("p");
            queue.addBackingOff(uid("p"), now);
            Instant ready = queue.nextWake().orElseThrow();
            waits.add(Duration.between(now, ready));
            now = ready;
            queue.advance(now);
        }
        assertThat(waits).extracting(Duration::toSeconds).containsExactly(1L, 2L, 4L, 8L, 10L, 10L);
    }

    @Test
    void anUnschedulablePodIsRetriedAfterFiveMinutesWithoutAnyEvent() {
        refuse("p", NOTHING);
        advance(Duration.ofMinutes(5).minusMillis(1));
        assertThat(popAll()).isEmpty();
        advance(Duration.ofMillis(1));
        assertThat(popAll()).containsExactly("p");
    }

    @Test
    void aPodThatLowersItsRequestsIsRequeued() {
        refuse("p", NOTHING);
        advance(Duration.ofSeconds(5));
        queue.requeue(uid("p"), now);
        assertThat(popAll()).containsExactly("p");
    }

    @Test
    void aRemovedPodIsNeverPoppedFromAnySubQueue() {
        offer("active", 0);
        refuse("waiting", ANYTHING);
        refuse("backing-off", ANYTHING);
        queue.onClusterEvent(nodeAdded(), now);
        List.of("active", "waiting", "backing-off").forEach(name -> queue.remove(uid(name)));
        queue.advance(now.plus(Duration.ofHours(1)));
        assertThat(popAll()).isEmpty();
        assertThat(queue.nextWake()).isEmpty();
    }

    @Test
    void aPodPutBackKeepsItsPositionAndAttemptCount() {
        offer("p", 0);
        offer("q", 0);
        queue.pop(now);
        queue.putBack(uid("p"));
        assertThat(queue.attemptCount(uid("p"))).isZero();
        assertThat(popAll()).containsExactly("p", "q");
    }

    @Test
    void aRaisedPriorityCountsAtOnce() {
        offer("p", 0);
        offer("q", 1);
        queue.addOrUpdate(pod("p").priority(2).build(), now);
        assertThat(popAll()).containsExactly("p", "q");
    }

    @Test
    void aBackoffWhoseMaximumIsBelowItsInitialDelayIsRejected() {
        assertThatThrownBy(() -> new BackoffPolicy(Duration.ofSeconds(5), Duration.ofSeconds(1)))
                .hasMessageContaining("PT5S")
                .hasMessageContaining("PT1S");
    }

    @Test
    void anAttemptRecordsWhenThePodBecameSchedulableAndWhenItStarted() {
        queue.addOrUpdate(pod("p").schedulingGates(List.of("g")).build(), now);
        Instant ungated = now.plusSeconds(10);
        queue.addOrUpdate(pod("p").build(), ungated);
        assertThat(queue.latestAttempt(uid("p"))).as("not tried yet").isEmpty();
        queue.pop(ungated.plusSeconds(1));
        assertThat(queue.latestAttempt(uid("p"))).contains(new SchedulingAttempt(1, ungated, ungated.plusSeconds(1)));
        queue.addBackingOff(uid("p"), ungated.plusSeconds(2));
        queue.advance(ungated.plusSeconds(5));
        queue.pop(ungated.plusSeconds(5));
        assertThat(queue.latestAttempt(uid("p"))).contains(new SchedulingAttempt(2, ungated, ungated.plusSeconds(5)));
    }

    @Test
    void incomingPodsAreCountedBySubQueueAndEvent() {
        queue.addOrUpdate(pod("gated").schedulingGates(List.of("g")).build(), now);
        refuse("p", ANYTHING);
        queue.onClusterEvent(nodeAdded(), now);
        advance(Duration.ofSeconds(1));
        queue.pop(now);
        queue.putBack(uid("p"));
        queue.pop(now);
        queue.addUnschedulable(uid("p"), NOTHING, now);
        advance(SchedulingQueue.MAX_UNSCHEDULABLE_DURATION);
        queue.pop(now);
        queue.addBackingOff(uid("p"), now);

        assertThat(queue.incomingPodCounts())
                .isEqualTo(Map.of(
                        QueueState.GATED,
                        Map.of("UnschedulablePodAdd", 1L),
                        QueueState.ACTIVE,
                        Map.of("UnschedulablePodAdd", 1L, "BackoffComplete", 1L, "UnschedulableTimeout", 1L),
                        QueueState.UNSCHEDULABLE,
                        Map.of("ScheduleAttemptFailure", 2L),
                        QueueState.BACKING_OFF,
                        Map.of("NodeAdd", 1L, "ScheduleAttemptFailure", 1L)));
    }

    /** After any operations, every pod is in exactly one state and none is lost. */
    @Test
    void noRandomHistoryLosesOrDuplicatesAPod() {
        RandomSeeds.forEach(0, 200, seed -> {
            Random random = new Random(seed);
            SchedulingQueue any = new SchedulingQueue(BackoffPolicy.DEFAULT);
            Set<PodUid> known = new TreeSet<>();
            Instant time = START;
            for (int step = 0; step < 300; step++) {
                time = time.plusMillis(random.nextInt(3000));
                step(any, known, random, time);
                int sum = any.podCounts().values().stream()
                        .mapToInt(Integer::intValue)
                        .sum();
                assertThat(sum).as("seed %d step %d", seed, step).isEqualTo(known.size());
            }
            assertDrains(any, known, time, seed);
        });
    }

    private static void step(SchedulingQueue any, Set<PodUid> known, Random random, Instant time) {
        PodUid some = uid("p" + random.nextInt(20));
        switch (random.nextInt(8)) {
            case 0, 1 -> {
                List<String> gates = random.nextInt(5) == 0 ? List.of("g") : List.of();
                any.addOrUpdate(
                        pod(some.value())
                                .priority(random.nextInt(3))
                                .schedulingGates(gates)
                                .build(),
                        time);
                known.add(some);
            }
            case 2 -> {
                any.remove(some);
                known.remove(some);
            }
            case 3 ->
                any.pop(time)
                        .ifPresent(uid -> any.addUnschedulable(
                                uid,
                                new RecordingHint(
                                        Set.of(
                                                random.nextBoolean()
                                                        ? ClusterEventKind.NODE_ADDED
                                                        : ClusterEventKind.POD_REMOVED),
                                        pod -> pod.endsWith("1")),
                                time));
            case 4 -> any.pop(time).ifPresent(uid -> any.addBackingOff(uid, time));
            case 5 -> any.pop(time).ifPresent(any::putBack);
            case 6 -> any.onClusterEvent(nodeAdded(), time);
            default -> any.advance(time);
        }
    }

    /** Ungated, and with time enough, each pod comes out once. */
    private static void assertDrains(SchedulingQueue any, Set<PodUid> known, Instant time, long seed) {
        known.forEach(uid -> any.addOrUpdate(pod(uid.value()).build(), time));
        any.advance(time.plus(Duration.ofHours(1)));
        assertThat(popAll(any, time)).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(known);
    }

    private void offer(String name, int priority) {
        queue.addOrUpdate(pod(name).priority(priority).build(), now);
    }

    private void refuse(String name, QueueingHint queueingHint) {
        offer(name, 1_000);
        assertThat(queue.pop(now)).contains(uid(name));
        queue.addUnschedulable(uid(name), queueingHint, now);
    }

    private void advance(Duration by) {
        now = now.plus(by);
        queue.advance(now);
    }

    private List<String> popAll() {
        return popAll(queue, now).stream().map(PodUid::value).toList();
    }

    private static List<PodUid> popAll(SchedulingQueue queue, Instant now) {
        return Stream.generate(() -> queue.pop(now))
                .takeWhile(Optional::isPresent)
                .map(Optional::orElseThrow)
                .toList();
    }

    private static ClusterEvent nodeAdded() {
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
                List.of(),
                List.of());
        return new ClusterEvent.NodeChanged(Optional.empty(), state);
    }

    private static Pod.Builder pod(String name) {
        return Pod.builder(uid(name), "default", name);
    }

    private static PodUid uid(String name) {
        return new PodUid(name);
    }
}
