package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pods come and go, and so do StatefulSets and the hold that pods use together, while the server falls silent, denies,
 * contradicts, misses or does not show, and the door is killed, in any order: no place is lost, none is given twice, none
 * comes back after its time, and no place is kept on room that others use.
 */
class KilledAtAnyMomentTest {
    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final int STEPS = 60;
    private static final String INTRUDING_SCHEDULER = "another";
    private static final Optional<Instant> LONG_AGO = Optional.of(Instant.EPOCH);
    /** In seconds, after the faults of so many steps; shorter than a place is kept. */
    private static final int LONGEST_BACK_OFF = 35;

    private final Scene scene = new Scene();
    /** By place, who took it. */
    private final Map<String, String> taken = new HashMap<>();
    /** What a successor would be told again. */
    private final List<Pod> untold = new ArrayList<>();

    /** What the door cannot know, and what may follow from it. */
    private final Unknowable unknowable = new Unknowable(scene);

    private final Departed departed = new Departed(scene, unknowable);
    private SharedHold sharedHold = new SharedHold(scene, false);

    /** The API server no longer knows what happened after the last durable version. */
    private boolean forgotten;

    /** Writes of the checkpoint are denied now and then. */
    private boolean denied;

    /** Pods use a shared hold. */
    private boolean insideAHold;

    /** StatefulSets control pods, and are deleted now and then. */
    private boolean owned;

    private final OwnedPods ownedPods = new OwnedPods(scene);
    private final LateNews lateNews = new LateNews(scene, this::remember);

    /** Reservations are prolonged after their end, or written after it. */
    private boolean late;

    /** Writes of Reservations are refused now and then. */
    private boolean refusing;

    /** The shared hold is edited, deleted and created again now and then. */
    private boolean editing;

    /** Finalizers keep some pods that finished. */
    private boolean finalizing;

    /** Another scheduler binds pods without regard to places. */
    private boolean intruding;

    /** Tenants write Reservations of any size, as Berth writes them or not. */
    private boolean written;

    private final HandWritten handWritten = new HandWritten(scene);

    /** Pods are marked as victims; some of them are evicted. */
    private boolean preempting;

    /** Pods that ended by themselves or were preempted: they leave no place. */
    private final Set<String> ended = new HashSet<>();

    private int count;

    @ParameterizedTest
    @MethodSource("seeds")
    void noPlaceIsLostAndNoneIsGivenTwice(long seed) {
        Random random = new Random(seed);
        denied = seed % 4 == 0;
        insideAHold = seed % 3 == 0;
        refusing = seed % 2 == 1 || seed % 12 == 0;
        owned = seed % 5 < 2;
        NODES.forEach(node -> scene.node(aNode(node).with("6 cpu")));
        editing = insideAHold && seed % 2 == 0;
        finalizing = seed % 3 != 1;
        intruding = seed % 7 == 3;
        preempting = seed % 5 == 3;
        written = seed % 10 == 4;
        if (seed % 4 == 1) {
            // They ran before all places, so no place is kept on their room.
            NODES.stream()
                    .filter(node -> !insideAHold || !node.equals(SharedHold.NODE))
                    .forEach(node ->
                            scene.pod(intruder("daemon-" + node, node, "3 cpu").with(pod -> pod.started(LONG_AGO))));
        }
        late = seed % 4 == 1;
        if (seed % 11 == 4) {
            scene.hurried();
        }
        sharedHold = new SharedHold(scene, seed % 6 == 3);
        if (insideAHold) {
            sharedHold.create();
        }
        scene.listed();
        for (int i = 0; i < STEPS; i++) {
            step(random);
            remember();
        }
        scene.server(Scene.Mood.TAKING).silent(false);
        for (int i = 0; i < LONGEST_BACK_OFF; i++) {
            scene.pass(Duration.ofSeconds(1));
            remember();
        }
        everyPlaceIsKeptOrTaken();
        scene.checkpoint().deny(false);
        scene.pass(Scene.USUAL).pass(Scene.USUAL).pass(Scene.USUAL).pass(Scene.USUAL);
        assertThat(scene.reservations()).as("all are over").isEmpty();
        assertThat(scene.owed()).isEmpty();
        assertThat(scene.checkpoint().pods())
                .as("the checkpoint has only pods that are there")
                .isSubsetOf(scene.pods().stream().map(Pod::uid).toList());
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 240);
    }

    private void step(Random random) {
        if (owned && random.nextInt(8) == 0) {
            ownedPods.change(random);
            return;
        }
        List<Pod> bound =
                scene.pods().stream().filter(pod -> pod.nodeName().isPresent()).toList();
        if (editing && random.nextInt(8) == 0 && sharedHold.isForOwners()) {
            giveRoomAway(random);
            return;
        }
        if (editing && random.nextInt(5) == 0) {
            sharedHold.change(random);
            if (random.nextBoolean()) {
                // Whoever comes now may get the room of a place that is over and still written down.
                come(random);
                come(random);
                remember();
                kill(random);
            }
            return;
        }
        if (late && random.nextInt(8) == 0) {
            if (random.nextBoolean()) {
                lateNews.prolong(random);
            } else {
                boolean killed = random.nextBoolean();
                lateNews.writeLate(bound, random, pod -> go(pod, random), () -> killIf(killed, random));
            }
            return;
        }
        if (written && random.nextInt(4) == 0) {
            handWritten.change(random, NODES);
            return;
        }
        if (intruding && random.nextInt(12) == 0) {
            scene.pod(intruder(random));
            return;
        }
        switch (random.nextInt(refusing ? 12 : 10)) {
            case 0, 1, 2, 3 -> come(random);
            case 4, 5 ->
                bound.stream()
                        .skip(bound.isEmpty() ? 0 : random.nextInt(bound.size()))
                        .findFirst()
                        .ifPresent(pod -> go(pod, random));
            case 6 -> scene.silent(true);
            case 7 -> scene.silent(false);
            case 8 -> scene.pass(Duration.ofMillis(250L * random.nextInt(24)));
            case 10 -> scene.server(mood(random));
            case 11 -> scene.server(Scene.Mood.TAKING);
            default -> kill(random);
        }
    }

    /**
     * A pod leaves a place that draws on the hold, and the hold takes its room back and ends. Pods come that get the room
     * of the place, whether its end is written before Berth is killed or not.
     */
    private void giveRoomAway(Random random) {
        PodBuilder owner = pod("owner" + count, random).asking("3 cpu").annotated(Words.RESERVATION, "true");
        sharedHold.own(owner);
        scene.pod(owner).pass(Duration.ofMillis(250L * random.nextInt(8)));
        if (refusing) {
            scene.server(mood(random));
        }
        remember();
        Pod there = scene.podNamed(owner.build().name());
        if (there.nodeName().isPresent()) {
            leave(there, there);
        }
        remember();
        sharedHold.takeRoomBackAndEnd();
        for (int i = 0; i < 2; i++) {
            scene.pod(pod("other" + count, random).asking("3 cpu"));
            come(random);
        }
        remember();
        kill(random);
    }

    private void leave(Pod pod, Pod last) {
        if (asks(pod)) {
            departed.add(pod);
        }
        untold.add(last);
        scene.delete(pod.name());
    }

    private void killIf(boolean killed, Random random) {
        if (killed) {
            kill(random);
        }
    }

    private static Scene.Mood mood(Random random) {
        Scene.Mood[] moods = Scene.Mood.values();
        return moods[random.nextInt(moods.length)];
    }

    /** Of few names and keys, so that namesakes and several places of one key are frequent. */
    private void come(Random random) {
        String name = "p" + random.nextInt(6);
        if (scene.pods().stream().anyMatch(pod -> pod.name().equals(name))) {
            return;
        }
        PodBuilder pod = pod(name, random);
        if (random.nextInt(3) == 0) {
            pod.annotated(Words.TTL, "5");
        }
        if (preempting && random.nextInt(3) == 0) {
            // Some preemption came to nothing long ago, and the mark is still there.
            Instant mark = scene.clock.instant().minusSeconds(60);
            pod.with(it -> it.preempted(true).preemptedAt(Optional.of(mark)));
        }
        if (insideAHold && random.nextInt(3) > 0) {
            sharedHold.own(pod, random);
        }
        if (owned) {
            ownedPods.own(pod, random);
        }
        scene.pod(random.nextInt(4) == 0 ? pod : pod.annotated(Words.RESERVATION, "true"));
    }

    private PodBuilder pod(String name, Random random) {
        return aPod(name)
                .uid("%08d-uid".formatted(count++))
                .asking(1 + random.nextInt(3) + " cpu")
                .annotated(ReturnKey.INDEX, "k" + random.nextInt(2));
    }

    private PodBuilder intruder(Random random) {
        String node = NODES.get(random.nextInt(NODES.size()));
        return intruder("i" + count, node, 1 + random.nextInt(3) + " cpu");
    }

    private PodBuilder intruder(String name, String node, String size) {
        return aPod(name)
                .uid("%08d-uid".formatted(count++))
                .asking(size)
                .on(node)
                .with(pod -> pod.schedulerName(INTRUDING_SCHEDULER));
    }

    private void go(Pod pod, Random random) {
        if (preempting && !pod.phase().terminal() && !pod.terminating() && random.nextInt(5) == 0) {
            Optional<Instant> now = Optional.of(scene.clock.instant());
            ended.add(pod.uid().value());
            scene.pod(again(pod)
                    .terminating()
                    .with(it -> it.preempted(true).preemptedAt(now).deletionRequested(now)));
            return;
        }
        if (owned && !pod.phase().terminal() && !pod.terminating() && random.nextInt(5) == 0) {
            ended.add(pod.uid().value());
            scene.endByItself(pod.name());
            return;
        }
        if (!pod.phase().terminal() && random.nextBoolean()) {
            scene.pod(again(pod).terminating());
            if (random.nextBoolean()) {
                finish(pod, random);
                if (finalizing && random.nextBoolean()) {
                    // A finalizer keeps the object; it goes some other time, and maybe not before its place is over.
                    if (random.nextBoolean()) {
                        remember();
                        scene.pass(Duration.ofSeconds(6));
                        remember();
                        kill(random);
                    }
                    return;
                }
            }
        }
        leave(pod, scene.podNamed(pod.name()));
    }

    private boolean asks(Pod pod) {
        return pod.annotations().has(Words.RESERVATION, "true")
                && !ended.contains(pod.uid().value());
    }

    /** Before its grace period is over, or at its end. */
    private void finish(Pod pod, Random random) {
        if (!pod.phase().terminal()) {
            if (asks(pod)) {
                departed.add(pod);
            }
            Instant deletion = scene.clock.instant().plusSeconds(random.nextBoolean() ? 0 : 30);
            scene.pod(again(pod).terminating().in(Phase.FAILED).with(it -> it.deletion(Optional.of(deletion))));
        }
    }

    private static PodBuilder again(Pod pod) {
        return aPod(pod.name())
                .uid(pod.uid().value())
                .asking(pod.shape().requests())
                .with(builder -> builder.labels(pod.labels())
                        .annotations(pod.annotations())
                        .controller(pod.controller())
                        .shape(pod.shape())
                        .schedulerName(pod.schedulerName())
                        .preempted(pod.preempted())
                        .preemptedAt(pod.preemptedAt())
                        .deletionRequested(pod.deletionRequested())
                        .nodeName(pod.nodeName()));
    }

    /** Killed, and pods are deleted before the next one leads; the API server remembers all of it, a part or nothing. */
    private void kill(Random random) {
        sharedHold.list();
        scene.loseAnswers(random.nextInt(3));
        for (Pod pod : scene.pods()) {
            if (pod.nodeName().isPresent() && random.nextInt(4) == 0) {
                if (asks(pod)) {
                    departed.add(pod);
                }
                untold.add(pod);
                scene.deleteUnseen(pod.name());
            }
        }
        if (owned) {
            ownedPods.changeUnseen(random);
        }
        int told = forgotten ? 0 : random.nextInt(3) > 0 ? untold.size() : random.nextInt(untold.size() + 1);
        boolean complete = !forgotten && told == untold.size() && random.nextBoolean();
        if (!complete) {
            forgotten = true;
            unknowable.killed(untold, untold.subList(0, told), departed, taken);
        }
        Pod[] replayed = untold.subList(0, told).toArray(Pod[]::new);
        Set<PodUid> kept = written ? handWritten.placesOfBerth() : Set.of();
        if (written && random.nextBoolean()) {
            handWritten.writeUnseen(random, NODES);
        }
        List<Placeholder> byHand = handWritten.all();
        if (complete) {
            scene.restart(replayed);
        } else {
            scene.restartWithoutHistory(replayed);
        }
        handWritten.noneIsDeletedBeforeItsTime(byHand);
        handWritten.placesAreKept(kept, left -> mayPlacesEnd(unknowable.nodeOf(left.value())));
        scene.checkpoint().deny(denied && random.nextBoolean());
    }

    private void remember() {
        if (scene.owed().isEmpty()) {
            untold.clear();
            forgotten = false;
        }
        unknowable.look();
        if (!denied && !scene.isSilent()) {
            unknowable.batches();
        }
        for (String node : NODES) {
            assertThat(scene.cpuFree(node) + cpuOfIntruders(node))
                    .as("free cpu of %s", node)
                    .isNotNegative();
        }
        departed.look(this::mayPlacesEnd);
        ownedPods.check();
        taken.forEach((left, taker) -> assertThat(scene.keepsPlaceOf(new PodUid(left)))
                .as("the place of %s is kept although %s took it", left, taker)
                .isFalse());
        for (Pod pod : scene.pods()) {
            Takers.placeOf(pod).ifPresent(place -> {
                String left = place.pod().value();
                String other = taken.put(left, pod.uid().value());
                assertThat(other == null || other.equals(pod.uid().value()))
                        .as("the place of %s is taken by %s and by %s", left, other, pod.uid())
                        .isTrue();
            });
        }
    }

    private long cpuOfIntruders(String node) {
        return scene.pods().stream()
                .filter(pod -> !pod.started().equals(LONG_AGO))
                .filter(pod -> pod.schedulerName().equals(INTRUDING_SCHEDULER)
                        && pod.nodeName().filter(node::equals).isPresent())
                .mapToLong(pod -> pod.shape().requests().get(ResourceName.CPU))
                .sum();
    }

    /** A place loses its room to one that may be kept once more, to the hold that it draws on, or to an intruder. */
    private boolean mayPlacesEnd(String node) {
        boolean shared = node.equals(SharedHold.NODE) && (sharedHold.wasEdited() || intruding);
        return shared || unknowable.isDoubtful(node);
    }

    private void everyPlaceIsKeptOrTaken() {
        Set<String> kept = new HashSet<>();
        scene.reservations().stream()
                .filter(name -> !HandWritten.isOne(name))
                .map(name -> scene.reservation(name).orElseThrow())
                .filter(reservation -> !reservation.matched())
                .forEach(reservation -> kept.add(reservation.podUid()));
        assertThat(departed.owed())
                .allMatch(uid -> kept.contains(uid) || taken.containsKey(uid) || ownedPods.isOfDeleted(uid));
    }
}
