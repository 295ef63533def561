package dev.berth.core.door.godel;

import static dev.berth.core.testing.PodBuilder.aPod;

import dev.berth.core.cluster.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/** A TTL expires and other pods get the capacity, before the Reservation is extended or created. */
final class ExpiredReservationFaults {
    private static final int FILLERS = 12;

    private final GodelScene scene;
    /** Called whenever the test may compare states. */
    private final Runnable look;

    private int fillers;

    ExpiredReservationFaults(GodelScene scene, Runnable look) {
        this.scene = scene;
        this.look = look;
    }

    /** The TTL of a Reservation is extended after it expired, and the edit is reverted later. */
    void extendTtlAfterExpiry(Random random) {
        List<GodelReservation> all = scene.reservationNames().stream()
                .flatMap(name -> scene.findReservation(name).stream())
                .filter(it -> !it.isMatched())
                .toList();
        if (all.isEmpty()) {
            return;
        }
        GodelReservation chosen = all.get(random.nextInt(all.size()));
        Duration left = Duration.between(scene.clock.instant(), chosen.deadline(GodelScene.DEFAULT_TTL));
        scene.advance(left.isNegative() ? Duration.ZERO : left);
        List<String> fillers = fillNodes();
        edit(chosen, Optional.of(3_600L));
        look.run();
        edit(chosen, chosen.ttlSeconds());
        deletePods(fillers);
    }

    private void edit(GodelReservation chosen, Optional<Long> ttl) {
        scene.findReservation(chosen.name())
                .filter(it -> it.uid().equals(chosen.uid()))
                .ifPresent(it -> scene.upsertReservation(
                                it.toBuilder().ttlSeconds(ttl).build())
                        .runTurns());
    }

    /**
     * A pod is deleted, and the API server accepts the create of its Reservation after the TTL.
     *
     * @param meanwhile runs after other pods got the capacity
     */
    void createAfterExpiry(List<Pod> bound, Random random, Consumer<Pod> go, Runnable meanwhile) {
        if (bound.isEmpty()) {
            return;
        }
        scene.delayAnswers(true);
        go.accept(bound.get(random.nextInt(bound.size())));
        look.run();
        scene.advance(GodelScene.DEFAULT_TTL);
        look.run();
        List<String> fillers = fillNodes();
        meanwhile.run();
        look.run();
        scene.delayAnswers(false);
        look.run();
        deletePods(fillers);
    }

    private List<String> fillNodes() {
        look.run();
        List<String> names = new ArrayList<>();
        Optional<Instant> now = Optional.of(scene.clock.instant());
        for (int i = 0; i < FILLERS; i++) {
            names.add("f" + fillers++);
            scene.upsert(aPod(names.get(i)).asking("1 cpu").with(pod -> pod.startTime(now)));
        }
        look.run();
        return names;
    }

    private void deletePods(List<String> names) {
        List<String> there = scene.pods().stream().map(Pod::name).toList();
        names.stream().filter(there::contains).forEach(scene::deletePod);
    }
}
