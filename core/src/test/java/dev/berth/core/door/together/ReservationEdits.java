package dev.berth.core.door.together;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.door.reservation.CurrentOwner;
import dev.berth.core.door.reservation.Reservation;
import dev.berth.core.door.reservation.Status;
import dev.berth.core.door.reservation.Terms;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Owner;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** What authors do to Koordinator's Reservations, drawn by dice. */
final class ReservationEdits {
    private final Cluster cluster;
    private final Random dice;

    ReservationEdits(Cluster cluster, Random dice) {
        this.cluster = cluster;
        this.dice = dice;
    }

    void create(String name) {
        create(name, 1 + dice.nextInt(4), dice.nextBoolean());
    }

    /** One that a pod of one cpu leaves something of. */
    void createForOnce(String name) {
        create(name, 2 + dice.nextInt(2), true);
    }

    private void create(String name, int cpus, boolean once) {
        Resources size = Resources.of(ResourceName.CPU, 1_000L * cpus);
        PodShape shape = PodShape.builder().requests(size).build();
        Terms terms = new Terms(
                new Terms.Template(
                        "default", Labels.NONE, shape, Optional.empty(), Cluster.SCHEDULER, Integer.MAX_VALUE),
                owners(),
                once,
                dice.nextInt(4) == 0,
                end(),
                false,
                List.of());
        cluster.log.add("create reservation %s %s".formatted(name, terms));
        cluster.server.put(new Reservation(
                name, name, "", cluster.clock.instant(), false, Cluster.SCHEDULER, Optional.of(terms), "", Status.NEW));
    }

    void delete() {
        one().ifPresent(reservation -> {
            cluster.log.add("delete reservation " + reservation.name());
            cluster.server.remove(reservation);
        });
    }

    /** The end is moved, also of a reservation that is over; it is for once or shared, closed or open, for other owners. */
    void edit() {
        one().ifPresent(reservation -> {
            Terms terms = reservation.terms().orElseThrow();
            boolean listed = listsItsUsers(reservation);
            Terms edited = switch (dice.nextInt(4)) {
                case 0 -> with(terms, terms.owners(), terms.once(), end(), terms.unschedulable());
                case 1 -> with(terms, terms.owners(), terms.once(), terms.end(), !terms.unschedulable());
                case 2 -> with(terms, terms.owners(), listed && !terms.once(), terms.end(), terms.unschedulable());
                default ->
                    with(terms, listed ? owners() : terms.owners(), terms.once(), terms.end(), terms.unschedulable());
            };
            cluster.log.add("edit reservation %s %s".formatted(reservation.name(), edited));
            cluster.server.put(new Reservation(
                    reservation.uid(),
                    reservation.name(),
                    "",
                    reservation.created(),
                    reservation.terminating(),
                    reservation.schedulerName(),
                    Optional.of(edited),
                    "",
                    reservation.status()));
        });
    }

    /** Until the status lists a user, its record alone speaks for it, and only while the owners match it. */
    private boolean listsItsUsers(Reservation reservation) {
        List<String> listed = reservation.status().currentOwners().stream()
                .map(CurrentOwner::uid)
                .toList();
        return cluster.server.pods.values().stream()
                .filter(pod -> pod.annotations().has(Claim.ANNOTATION, "reservation/" + reservation.uid()))
                .allMatch(pod -> listed.contains(pod.uid().value()));
    }

    private static Terms with(
            Terms terms, List<Owner> owners, boolean once, Optional<Instant> end, boolean unschedulable) {
        return new Terms(terms.template(), owners, once, terms.restricted(), end, unschedulable, terms.taints());
    }

    private List<Owner> owners() {
        LabelSelector selector = LabelSelector.of(Labels.of("app", dice.nextBoolean() ? "a" : "b"));
        return List.of(new Owner(Optional.empty(), Optional.empty(), Optional.of(selector)));
    }

    private Optional<Instant> end() {
        return dice.nextBoolean()
                ? Optional.empty()
                : Optional.of(cluster.clock.instant().plusSeconds(10 + dice.nextInt(120)));
    }

    private Optional<Reservation> one() {
        List<Reservation> all = new ArrayList<>(cluster.server.reservations.values());
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(dice.nextInt(all.size())));
    }
}
