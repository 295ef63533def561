package dev.berth.core.door.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.hold.Hold;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Edits of specifications into something malformed, and back. It knows the terms that each reservation had before, and
 * whether the running process read them.
 */
final class SpecEdits {
    private static final List<String> PROBLEMS =
            List.of("spec.ttl (1d) is no duration", "spec.ttl (banana) is no duration", "spec.owners is empty");

    private final Scene scene;
    /** By name: the last valid terms of what is malformed. */
    private final Map<String, Terms> before = new HashMap<>();
    /** The malformed reservations whose valid terms only an earlier process read. */
    private final Set<String> unknown = new HashSet<>();

    SpecEdits(Scene scene) {
        this.scene = scene;
    }

    /** One of Berth's reservations, placed or not; it may be malformed already. */
    void malform(SplittableRandom random) {
        List<Reservation> candidates = scene.reservations().stream()
                .filter(it -> it.schedulerName().equals(Scene.SCHEDULER))
                .filter(it -> !it.status().phase().terminal())
                .toList();
        if (!candidates.isEmpty()) {
            scene.showAll();
            String name = candidates.get(random.nextInt(candidates.size())).name();
            scene.reservation(name).terms().ifPresent(terms -> before.put(name, terms));
            scene.respecify(name, Optional.empty(), PROBLEMS.get(random.nextInt(PROBLEMS.size())));
        }
    }

    /** The terms come back, maybe with another deadline: of a place that is over it would come too late. */
    void correct(SplittableRandom random) {
        List<Reservation> candidates =
                scene.reservations().stream().filter(it -> it.terms().isEmpty()).toList();
        if (!candidates.isEmpty()) {
            scene.showAll();
            Reservation chosen = candidates.get(random.nextInt(candidates.size()));
            boolean moved = random.nextBoolean()
                    && !over(chosen)
                    && !chosen.status().phase().terminal();
            Terms terms = Optional.ofNullable(before.remove(chosen.name())).orElseThrow();
            unknown.remove(chosen.name());
            scene.respecify(chosen.name(), Optional.of(moved ? later(terms, random) : terms), "");
        }
    }

    private Terms later(Terms terms, SplittableRandom random) {
        return new Terms(
                terms.template(),
                terms.owners(),
                terms.once(),
                terms.restricted(),
                Optional.of(scene.clock.instant().plusSeconds(1 + random.nextInt(900))),
                terms.unschedulable(),
                terms.taints());
    }

    /**
     * Berth is about to be killed. What only this process knows of malformed reservations is written before: that a
     * place is over, or used up, cannot be told from a malformed specification.
     */
    void beforeRestart(Duration longest) {
        if (scene.reservations().stream().anyMatch(it -> it.terms().isEmpty())) {
            scene.server(Scene.Mood.TAKING).pass(longest);
            afterRestart();
        }
    }

    void afterRestart() {
        scene.reservations().stream().filter(it -> it.terms().isEmpty()).forEach(it -> unknown.add(it.name()));
    }

    /** The terms that count; empty where no running process read any, and where there is no place that they are of. */
    Optional<Terms> terms(Reservation reservation) {
        return unknown.contains(reservation.name())
                        || (reservation.pending() && !reservation.problem().isEmpty())
                ? Optional.empty()
                : reservation.terms().or(() -> Optional.ofNullable(before.get(reservation.name())));
    }

    boolean over(Reservation reservation) {
        return terms(reservation)
                .flatMap(Terms::end)
                .filter(end -> !end.isAfter(scene.clock.instant()))
                .isPresent();
    }

    boolean none() {
        return scene.reservations().stream().noneMatch(it -> it.terms().isEmpty());
    }

    /** No hold outlives its last valid deadline, and until then it is open to the last valid owners. */
    void check(String where) {
        for (Reservation reservation : scene.reservations()) {
            Optional<Terms> terms = terms(reservation);
            Optional<Hold> hold = scene.ledger().hold(reservation.holdId());
            if (terms.isPresent() && hold.isPresent() && scene.serves(reservation.schedulerName())) {
                String what = "%s, %s".formatted(where, reservation);
                assertThat(over(reservation)).as(what).isFalse();
                assertThat(hold.get().deadline()).as(what).isEqualTo(terms.get().end());
                assertThat(hold.get().owners()).as(what).isEqualTo(terms.get().owners());
                assertThat(hold.get().closed() && opened(reservation, terms.get()))
                        .as(what)
                        .isFalse();
            }
        }
    }

    /** What the process read last may be older than what the API server has. */
    private boolean opened(Reservation reservation, Terms terms) {
        return !scene.hides() && reservation.status().available() && !terms.unschedulable();
    }
}
