package dev.berth.core.door.comeback;

import static dev.berth.core.testing.PodBuilder.aPod;

import dev.berth.core.cluster.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;

/** The time of a place is over and other pods get its room, before its Reservation is prolonged or written. */
final class LateNews {
    private static final int FILLERS = 12;

    private final Scene scene;
    /** Called whenever the histories may look. */
    private final Runnable look;

    private int fillers;

    LateNews(Scene scene, Runnable look) {
        this.scene = scene;
        this.look = look;
    }

    /** The ttl of a Reservation is prolonged after its end, and the edit is taken back later. */
    void prolong(Random random) {
        List<Placeholder> all = scene.reservations().stream()
                .flatMap(name -> scene.reservation(name).stream())
                .filter(it -> !it.matched())
                .toList();
        if (all.isEmpty()) {
            return;
        }
        Placeholder chosen = all.get(random.nextInt(all.size()));
        Duration left = Duration.between(scene.clock.instant(), chosen.deadline(Scene.USUAL));
        scene.pass(left.isNegative() ? Duration.ZERO : left);
        List<String> crowd = crowd();
        edit(chosen, Optional.of(3_600L));
        look.run();
        edit(chosen, chosen.ttl());
        leave(crowd);
    }

    private void edit(Placeholder chosen, Optional<Long> ttl) {
        scene.reservation(chosen.name())
                .filter(it -> it.uid().equals(chosen.uid()))
                .ifPresent(
                        it -> scene.reservation(it.toBuilder().ttl(ttl).build()).settle());
    }

    /**
     * A pod goes, and the API server takes the Reservation of its place after the time of the place.
     *
     * @param meanwhile what happens after other pods got the room
     */
    void writeLate(List<Pod> bound, Random random, Consumer<Pod> go, Runnable meanwhile) {
        if (bound.isEmpty()) {
            return;
        }
        scene.silent(true);
        go.accept(bound.get(random.nextInt(bound.size())));
        look.run();
        scene.pass(Scene.USUAL);
        look.run();
        List<String> crowd = crowd();
        meanwhile.run();
        look.run();
        scene.silent(false);
        look.run();
        leave(crowd);
    }

    private List<String> crowd() {
        look.run();
        List<String> names = new ArrayList<>();
        Optional<Instant> now = Optional.of(scene.clock.instant());
        for (int i = 0; i < FILLERS; i++) {
            names.add("f" + fillers++);
            scene.pod(aPod(names.get(i)).asking("1 cpu").with(pod -> pod.started(now)));
        }
        look.run();
        return names;
    }

    private void leave(List<String> names) {
        List<String> there = scene.pods().stream().map(Pod::name).toList();
        names.stream().filter(there::contains).forEach(scene::delete);
    }
}
