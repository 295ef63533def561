package dev.berth.core.door.koordinator;

import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.SchedulerScene;
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
final class RandomSpecEdits {
    private static final List<String> PROBLEMS =
            List.of("spec.ttl (1d) is no duration", "spec.ttl (banana) is no duration", "spec.owners is empty");

    private static final NodeAffinity ON_NO_NODE =
            new NodeAffinity(Labels.of("disk", "none"), Optional.empty(), List.of());

    private final KoordinatorScene cluster;
    private final RandomResizes resizes;
    /** By name: the last valid terms of what is malformed. */
    private final Map<String, ReservationSpec> before = new HashMap<>();
    /** The malformed reservations whose valid terms only an earlier process read. */
    private final Set<String> unknown = new HashSet<>();
    /** Those that the running process saw expire: whatever end they get, they do not come back. */
    private final Set<String> expired = new HashSet<>();
    /** Those for once that the running process saw in use. */
    private final Set<String> usedUp = new HashSet<>();
    /** Those that were for once and shared, in any order. */
    private final Set<String> both = new HashSet<>();

    RandomSpecEdits(KoordinatorScene cluster, RandomResizes resizes) {
        this.resizes = resizes;
        this.cluster = cluster;
    }

    /** One of Berth's reservations, placed or not; it may be malformed already, or just have got another template. */
    void makeMalformed(SplittableRandom random) {
        one(unfinished(), random).ifPresent(name -> {
            if (random.nextBoolean()) {
                valid(name).ifPresent(it -> changeTemplate(it, random));
            }
            cluster.getReservation(name).spec().ifPresent(reservationSpec -> before.put(name, reservationSpec));
            cluster.editSpec(name, Optional.empty(), PROBLEMS.get(random.nextInt(PROBLEMS.size())));
        });
    }

    /** The end is moved, also of a reservation that is over. */
    void changeDeadline(SplittableRandom random) {
        one(unfinished(), random)
                .flatMap(this::valid)
                .ifPresent(it -> cluster.editSpec(
                        it.name(), it.spec().map(reservationSpec -> later(reservationSpec, random)), ""));
    }

    /**
     * A placed reservation of a scheduler that Berth does not serve ends, pods come that may get its room, and then its end
     * is moved.
     *
     * @return its name; empty where there is none
     */
    List<String> changeDeadlineOfOtherScheduler(SplittableRandom random, String scheduler, Runnable crowd) {
        cluster.resumeWatch();
        List<String> names = cluster.reservations().stream()
                .filter(it -> it.schedulerName().equals(scheduler) && !cluster.serves(scheduler))
                .filter(it -> it.status().isAvailable() && it.spec().isPresent())
                .map(Reservation::name)
                .toList();
        Optional<String> chosen = one(names, random);
        chosen.ifPresent(name -> {
            changeDeadline(name, Duration.ofSeconds(1));
            cluster.advance(Duration.ofSeconds(1));
            crowd.run();
            changeDeadline(name, Duration.ofMinutes(15));
        });
        return chosen.stream().toList();
    }

    private void changeDeadline(String name, Duration fromNow) {
        Instant end = cluster.clock.instant().plus(fromNow);
        cluster.editSpec(
                name, cluster.getReservation(name).spec().map(reservationSpec -> until(end, reservationSpec)), "");
    }

    /** What was for once is shared, and the other way round. */
    void changeAllocateOnce(SplittableRandom random) {
        one(unfinished(), random).flatMap(this::valid).ifPresent(it -> {
            both.add(it.name());
            usedUp.remove(it.name());
            cluster.editSpec(it.name(), it.spec().map(RandomSpecEdits::withOtherValues), "");
        });
    }

    /** The template asks for another size, or for a node that there is not, or no longer does. */
    void changeTemplate(SplittableRandom random) {
        one(unfinished(), random).flatMap(this::valid).ifPresent(it -> changeTemplate(it, random));
    }

    private void changeTemplate(Reservation reservation, SplittableRandom random) {
        resizes.onTemplateEdited(reservation.name());
        cluster.editSpec(
                reservation.name(), reservation.spec().map(reservationSpec -> reshaped(reservationSpec, random)), "");
    }

    private static ReservationSpec reshaped(ReservationSpec reservationSpec, SplittableRandom random) {
        ReservationSpec.Template template = reservationSpec.template();
        NodeAffinity affinity = random.nextBoolean() ? ON_NO_NODE : NodeAffinity.NONE;
        PodSpec spec = aPod("template")
                .asking((1 + random.nextInt(6)) + " cpu")
                .withSpec(more -> more.nodeAffinity(affinity))
                .build()
                .spec();
        return new ReservationSpec(
                new ReservationSpec.Template(
                        template.namespace(),
                        template.labels(),
                        spec,
                        template.nodeName(),
                        template.schedulerName(),
                        template.priority()),
                reservationSpec.owners(),
                reservationSpec.allocateOnce(),
                reservationSpec.allocation(),
                reservationSpec.deadline(),
                reservationSpec.unschedulable(),
                reservationSpec.taints(),
                reservationSpec.labels(),
                reservationSpec.preAllocation());
    }

    /** A placed reservation says that it does not move, and says nothing of other edits. */
    void checkProblems(String where, Reservation reservation) {
        Optional<PodSpec> wanted = reservation.template().map(ReservationSpec.Template::spec);
        String conditions = cluster.conditions(reservation.name());
        assertThat(conditions.contains("PlacementCurrent=false"))
                .as(where)
                .isEqualTo(wanted.filter(spec -> spec.nodeAffinity().equals(ON_NO_NODE))
                        .isPresent());
    }

    /** The names of Berth's reservations that have not ended. What the watch hid is shown: an edit is made on that. */
    private List<String> unfinished() {
        cluster.resumeWatch();
        recordEnded();
        return cluster.reservations().stream()
                .filter(it -> it.schedulerName().equals(KoordinatorScene.SCHEDULER))
                .filter(it -> !it.status().phase().terminal())
                .map(Reservation::name)
                .toList();
    }

    private Optional<Reservation> valid(String name) {
        return Optional.of(cluster.getReservation(name)).filter(it -> it.spec().isPresent());
    }

    private static Optional<String> one(List<String> names, SplittableRandom random) {
        return names.isEmpty() ? Optional.empty() : Optional.of(names.get(random.nextInt(names.size())));
    }

    private static ReservationSpec withOtherValues(ReservationSpec reservationSpec) {
        return new ReservationSpec(
                reservationSpec.template(),
                reservationSpec.owners(),
                !reservationSpec.allocateOnce(),
                reservationSpec.allocation(),
                reservationSpec.deadline(),
                reservationSpec.unschedulable(),
                reservationSpec.taints(),
                reservationSpec.labels(),
                reservationSpec.preAllocation());
    }

    /** The terms come back, maybe with another deadline. */
    void correctMalformed(SplittableRandom random) {
        List<Reservation> candidates = cluster.reservations().stream()
                .filter(it -> it.spec().isEmpty())
                .toList();
        if (!candidates.isEmpty()) {
            cluster.resumeWatch();
            recordEnded();
            Reservation chosen = candidates.get(random.nextInt(candidates.size()));
            boolean moved = random.nextBoolean() && !chosen.status().phase().terminal();
            ReservationSpec valid =
                    Optional.ofNullable(before.remove(chosen.name())).orElseThrow();
            // Berth did not hold the part that is kept from owners, while only an earlier process knew of it.
            ReservationSpec reservationSpec = unknown.remove(chosen.name()) ? withoutPartKeptFromOwners(valid) : valid;
            cluster.editSpec(chosen.name(), Optional.of(moved ? later(reservationSpec, random) : reservationSpec), "");
        }
    }

    private static ReservationSpec withoutPartKeptFromOwners(ReservationSpec reservationSpec) {
        ReservationAllocation allocation = reservationSpec.allocation();
        return new ReservationSpec(
                reservationSpec.template(),
                reservationSpec.owners(),
                reservationSpec.allocateOnce(),
                new ReservationAllocation(allocation.restricted(), allocation.restrictedResources(), Resources.NONE),
                reservationSpec.deadline(),
                reservationSpec.unschedulable(),
                reservationSpec.taints(),
                reservationSpec.labels(),
                reservationSpec.preAllocation());
    }

    private ReservationSpec later(ReservationSpec reservationSpec, SplittableRandom random) {
        return until(cluster.clock.instant().plusSeconds(1 + random.nextInt(900)), reservationSpec);
    }

    private static ReservationSpec until(Instant end, ReservationSpec reservationSpec) {
        return new ReservationSpec(
                reservationSpec.template(),
                reservationSpec.owners(),
                reservationSpec.allocateOnce(),
                reservationSpec.allocation(),
                Optional.of(end),
                reservationSpec.unschedulable(),
                reservationSpec.taints(),
                reservationSpec.labels(),
                reservationSpec.preAllocation());
    }

    /**
     * Berth is about to be killed. What only this process knows of malformed reservations is written before: a malformed
     * specification does not say which pods may use the place.
     */
    void beforeRestart(Duration longest) {
        if (cluster.reservations().stream().anyMatch(it -> it.spec().isEmpty())) {
            cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(longest);
            afterRestart();
        }
    }

    /** A process was started that has read what is there now, and knows nothing else. */
    void afterRestart() {
        expired.clear();
        usedUp.clear();
        cluster.reservations().stream().filter(it -> it.spec().isEmpty()).forEach(it -> unknown.add(it.name()));
    }

    /** The terms that count; empty where no running process read any, and where there is no place that they are of. */
    Optional<ReservationSpec> effectiveSpec(Reservation reservation) {
        return unknown.contains(reservation.name())
                        || (reservation.pending() && !reservation.problem().isEmpty())
                ? Optional.empty()
                : reservation.spec().or(() -> Optional.ofNullable(before.get(reservation.name())));
    }

    /** Whether it is over, be its end moved since. */
    boolean isOver(Reservation reservation) {
        recordEnded();
        return expired.contains(reservation.name()) || isLate(reservation);
    }

    private boolean isLate(Reservation reservation) {
        return effectiveSpec(reservation)
                .flatMap(ReservationSpec::deadline)
                .filter(end -> !end.isAfter(cluster.clock.instant()))
                .isPresent();
    }

    /** Notes what the running process has seen by now. */
    private void recordEnded() {
        for (Reservation it : cluster.reservations()) {
            boolean runs =
                    cluster.serves(it.schedulerName()) && !it.status().phase().terminal();
            if (runs && isLate(it)) {
                expired.add(it.name());
            }
            if (runs && effectiveSpec(it).filter(ReservationSpec::allocateOnce).isPresent() && isUsed(it)) {
                usedUp.add(it.name());
            }
        }
    }

    private boolean isUsed(Reservation reservation) {
        return cluster.pods().stream()
                .anyMatch(pod -> pod.nodeName().isPresent()
                        && pod.annotations()
                                .has(Claim.ANNOTATION, reservation.holdId().value()));
    }

    boolean wasOnceAndShared(Reservation reservation) {
        return both.contains(reservation.name());
    }

    boolean isEmpty() {
        return cluster.reservations().stream().noneMatch(it -> it.spec().isEmpty());
    }

    /** Until a reservation is over, its hold is open to the last valid owners; then it is closed until the status says so. */
    void check(String where) {
        recordEnded();
        for (Reservation reservation : cluster.reservations()) {
            Optional<ReservationSpec> reservationSpec = effectiveSpec(reservation);
            Optional<Hold> hold = cluster.ledger().hold(reservation.holdId());
            if (reservationSpec.isPresent() && hold.isPresent() && cluster.serves(reservation.schedulerName())) {
                String what = "%s, %s".formatted(where, reservation);
                // The watch may hide a status that the process wrote itself.
                boolean ended = isOver(reservation)
                        || usedUp.contains(reservation.name())
                        || reservation.status().phase().terminal();
                assertThat(hold.get().owners())
                        .as(what)
                        .isEqualTo(reservationSpec.get().owners());
                if (ended) {
                    assertThat(hold.get().isClosed()).as(what).isTrue();
                } else {
                    assertThat(hold.get().deadline())
                            .as(what)
                            .isEqualTo(reservationSpec.get().deadline());
                    assertThat(hold.get().isClosed() && opened(reservation, reservationSpec.get()))
                            .as("%s: %s", what, hold.get().closedReason())
                            .isFalse();
                }
            }
        }
    }

    /**
     * What the process read last may be older than what the API server has. While the new place of a reservation that moves
     * is held, no pod may use the old place either: the write of the new node may be in flight (docs/decisions/moving.md).
     */
    private boolean opened(Reservation reservation, ReservationSpec reservationSpec) {
        boolean moves =
                cluster.ledger().hold(Reservation.moveHoldId(reservation.uid())).isPresent();
        return !cluster.isWatchStalled()
                && !moves
                && reservation.status().isAvailable()
                && !reservationSpec.unschedulable();
    }
}
