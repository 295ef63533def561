package dev.berth.core.door.reservation;

import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Edits of specifications: into something malformed and back, of the end, of the template and of allocateOnce. It knows the terms that
 * each reservation had before, whether the running process read them, and which reservations that process saw end.
 */
final class SpecEdits {
    private static final List<String> PROBLEMS =
            List.of("spec.ttl (1d) is no duration", "spec.ttl (banana) is no duration", "spec.owners is empty");

    private static final NodeAffinity ON_NO_NODE =
            new NodeAffinity(Labels.of("disk", "none"), Optional.empty(), List.of());

    private final Scene scene;
    /** By name: the last valid terms of what is malformed. */
    private final Map<String, Terms> before = new HashMap<>();
    /** The malformed reservations whose valid terms only an earlier process read. */
    private final Set<String> unknown = new HashSet<>();
    /** Those that the running process saw expire: whatever end they get, they do not come back. */
    private final Set<String> expired = new HashSet<>();
    /** Those for once that the running process saw in use. */
    private final Set<String> usedUp = new HashSet<>();
    /** Those that were for once and shared, in any order. */
    private final Set<String> both = new HashSet<>();

    SpecEdits(Scene scene) {
        this.scene = scene;
    }

    /** One of Berth's reservations, placed or not; it may be malformed already, or just have got another template. */
    void malform(SplittableRandom random) {
        one(unfinished(), random).ifPresent(name -> {
            if (random.nextBoolean()) {
                valid(name).ifPresent(it -> changeTemplate(it, random));
            }
            scene.reservation(name).terms().ifPresent(terms -> before.put(name, terms));
            scene.respecify(name, Optional.empty(), PROBLEMS.get(random.nextInt(PROBLEMS.size())));
        });
    }

    /** The end is moved, also of a reservation that is over. */
    void moveEnd(SplittableRandom random) {
        one(unfinished(), random)
                .flatMap(this::valid)
                .ifPresent(it -> scene.respecify(it.name(), it.terms().map(terms -> later(terms, random)), ""));
    }

    /**
     * A placed reservation of a scheduler that Berth does not serve ends, pods come that may get its room, and then its end
     * is moved.
     *
     * @return its name; empty where there is none
     */
    List<String> moveEndOfAnother(SplittableRandom random, String scheduler, Runnable crowd) {
        scene.showAll();
        List<String> names = scene.reservations().stream()
                .filter(it -> it.schedulerName().equals(scheduler) && !scene.serves(scheduler))
                .filter(it -> it.status().available() && it.terms().isPresent())
                .map(Reservation::name)
                .toList();
        Optional<String> chosen = one(names, random);
        chosen.ifPresent(name -> {
            moveEnd(name, Duration.ofSeconds(1));
            scene.pass(Duration.ofSeconds(1));
            crowd.run();
            moveEnd(name, Duration.ofMinutes(15));
        });
        return chosen.stream().toList();
    }

    private void moveEnd(String name, Duration fromNow) {
        Instant end = scene.clock.instant().plus(fromNow);
        scene.respecify(name, scene.reservation(name).terms().map(terms -> until(end, terms)), "");
    }

    /** What was for once is shared, and the other way round. */
    void changeOnce(SplittableRandom random) {
        one(unfinished(), random).flatMap(this::valid).ifPresent(it -> {
            both.add(it.name());
            usedUp.remove(it.name());
            scene.respecify(it.name(), it.terms().map(SpecEdits::otherwise), "");
        });
    }

    /** The template asks for another size, or for a node that there is not, or no longer does. */
    void changeTemplate(SplittableRandom random) {
        one(unfinished(), random).flatMap(this::valid).ifPresent(it -> changeTemplate(it, random));
    }

    private void changeTemplate(Reservation reservation, SplittableRandom random) {
        scene.respecify(reservation.name(), reservation.terms().map(terms -> reshaped(terms, random)), "");
    }

    private static Terms reshaped(Terms terms, SplittableRandom random) {
        Terms.Template template = terms.template();
        NodeAffinity affinity = random.nextBoolean() ? ON_NO_NODE : NodeAffinity.NONE;
        PodShape shape = aPod("template")
                .asking((1 + random.nextInt(3)) + " cpu")
                .shaped(more -> more.affinity(affinity))
                .build()
                .shape();
        return new Terms(
                new Terms.Template(
                        template.namespace(),
                        template.labels(),
                        shape,
                        template.nodeName(),
                        template.schedulerName(),
                        template.priority()),
                terms.owners(),
                terms.once(),
                terms.restricted(),
                terms.end(),
                terms.unschedulable(),
                terms.taints());
    }

    /** A placed reservation says which edits of its template have no effect, and says nothing of others. */
    void checkReports(String where, Reservation reservation) {
        Optional<PodShape> wanted = reservation.template().map(Terms.Template::shape);
        String conditions = scene.conditions(reservation.name());
        assertThat(conditions.contains("Moved=false"))
                .as(where)
                .isEqualTo(wanted.filter(shape -> shape.affinity().equals(ON_NO_NODE))
                        .isPresent());
        assertThat(conditions.contains("Resized=false"))
                .as(where)
                .isEqualTo(wanted.filter(shape ->
                                !shape.requests().equals(reservation.status().allocatable()))
                        .isPresent());
    }

    /** The names of Berth's reservations that have not ended. What the watch hid is shown: an edit is made on that. */
    private List<String> unfinished() {
        scene.showAll();
        look();
        return scene.reservations().stream()
                .filter(it -> it.schedulerName().equals(Scene.SCHEDULER))
                .filter(it -> !it.status().phase().terminal())
                .map(Reservation::name)
                .toList();
    }

    private Optional<Reservation> valid(String name) {
        return Optional.of(scene.reservation(name)).filter(it -> it.terms().isPresent());
    }

    private static Optional<String> one(List<String> names, SplittableRandom random) {
        return names.isEmpty() ? Optional.empty() : Optional.of(names.get(random.nextInt(names.size())));
    }

    private static Terms otherwise(Terms terms) {
        return new Terms(
                terms.template(),
                terms.owners(),
                !terms.once(),
                terms.restricted(),
                terms.end(),
                terms.unschedulable(),
                terms.taints());
    }

    /** The terms come back, maybe with another deadline. */
    void correct(SplittableRandom random) {
        List<Reservation> candidates =
                scene.reservations().stream().filter(it -> it.terms().isEmpty()).toList();
        if (!candidates.isEmpty()) {
            scene.showAll();
            look();
            Reservation chosen = candidates.get(random.nextInt(candidates.size()));
            boolean moved = random.nextBoolean() && !chosen.status().phase().terminal();
            Terms terms = Optional.ofNullable(before.remove(chosen.name())).orElseThrow();
            unknown.remove(chosen.name());
            scene.respecify(chosen.name(), Optional.of(moved ? later(terms, random) : terms), "");
        }
    }

    private Terms later(Terms terms, SplittableRandom random) {
        return until(scene.clock.instant().plusSeconds(1 + random.nextInt(900)), terms);
    }

    private static Terms until(Instant end, Terms terms) {
        return new Terms(
                terms.template(),
                terms.owners(),
                terms.once(),
                terms.restricted(),
                Optional.of(end),
                terms.unschedulable(),
                terms.taints());
    }

    /**
     * Berth is about to be killed. What only this process knows of malformed reservations is written before: a malformed
     * specification does not say which pods may use the place.
     */
    void beforeRestart(Duration longest) {
        if (scene.reservations().stream().anyMatch(it -> it.terms().isEmpty())) {
            scene.server(Scene.Mood.TAKING).pass(longest);
            afterRestart();
        }
    }

    /** A process was started that has read what is there now, and knows nothing else. */
    void afterRestart() {
        expired.clear();
        usedUp.clear();
        scene.reservations().stream().filter(it -> it.terms().isEmpty()).forEach(it -> unknown.add(it.name()));
    }

    /** The terms that count; empty where no running process read any, and where there is no place that they are of. */
    Optional<Terms> terms(Reservation reservation) {
        return unknown.contains(reservation.name())
                        || (reservation.pending() && !reservation.problem().isEmpty())
                ? Optional.empty()
                : reservation.terms().or(() -> Optional.ofNullable(before.get(reservation.name())));
    }

    /** Whether it is over, be its end moved since. */
    boolean over(Reservation reservation) {
        look();
        return expired.contains(reservation.name()) || isLate(reservation);
    }

    private boolean isLate(Reservation reservation) {
        return terms(reservation)
                .flatMap(Terms::end)
                .filter(end -> !end.isAfter(scene.clock.instant()))
                .isPresent();
    }

    /** Notes what the running process has seen by now. */
    private void look() {
        for (Reservation it : scene.reservations()) {
            boolean runs =
                    scene.serves(it.schedulerName()) && !it.status().phase().terminal();
            if (runs && isLate(it)) {
                expired.add(it.name());
            }
            if (runs && terms(it).filter(Terms::once).isPresent() && isUsed(it)) {
                usedUp.add(it.name());
            }
        }
    }

    private boolean isUsed(Reservation reservation) {
        return scene.pods().stream()
                .anyMatch(pod -> pod.nodeName().isPresent()
                        && pod.annotations()
                                .has(Claim.ANNOTATION, reservation.holdId().value()));
    }

    boolean wasOnceAndShared(Reservation reservation) {
        return both.contains(reservation.name());
    }

    boolean none() {
        return scene.reservations().stream().noneMatch(it -> it.terms().isEmpty());
    }

    /** Until a reservation is over, its hold is open to the last valid owners; then it is closed until the status says so. */
    void check(String where) {
        look();
        for (Reservation reservation : scene.reservations()) {
            Optional<Terms> terms = terms(reservation);
            Optional<Hold> hold = scene.ledger().hold(reservation.holdId());
            if (terms.isPresent() && hold.isPresent() && scene.serves(reservation.schedulerName())) {
                String what = "%s, %s".formatted(where, reservation);
                // The watch may hide a status that the process wrote itself.
                boolean ended = over(reservation)
                        || usedUp.contains(reservation.name())
                        || reservation.status().phase().terminal();
                assertThat(hold.get().owners()).as(what).isEqualTo(terms.get().owners());
                if (ended) {
                    assertThat(hold.get().closed()).as(what).isTrue();
                } else {
                    assertThat(hold.get().deadline())
                            .as(what)
                            .isEqualTo(terms.get().end());
                    assertThat(hold.get().closed() && opened(reservation, terms.get()))
                            .as(what)
                            .isFalse();
                }
            }
        }
    }

    /** What the process read last may be older than what the API server has. */
    private boolean opened(Reservation reservation, Terms terms) {
        return !scene.hides() && reservation.status().available() && !terms.unschedulable();
    }
}
