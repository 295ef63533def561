package dev.berth.core.door.alldoors;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.door.koordinator.CurrentOwner;
import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.door.koordinator.ReservationAllocation;
import dev.berth.core.door.koordinator.ReservationSpec;
import dev.berth.core.door.koordinator.ReservationStatus;
import dev.berth.core.door.koordinator.preallocation.PreAllocation;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Owner;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** What authors do to Koordinator's Reservations, drawn by dice. */
final class RandomReservationEdits {
    private final AllDoorsCluster cluster;
    private final Random random;

    RandomReservationEdits(AllDoorsCluster cluster, Random random) {
        this.cluster = cluster;
        this.random = random;
    }

    void create(String name) {
        create(name, 1 + random.nextInt(4), random.nextBoolean(), preAllocation());
    }

    /** One that a pod of one cpu leaves something of. It needs no running pod. */
    void createAllocateOnce(String name) {
        create(name, 2 + random.nextInt(2), true, Optional.empty());
    }

    private void create(String name, int cpus, boolean once, Optional<PreAllocation> preAllocation) {
        Resources size = Resources.of(ResourceName.CPU, 1_000L * cpus);
        PodSpec spec = PodSpec.builder().requests(size).build();
        ReservationSpec reservationSpec = new ReservationSpec(
                new ReservationSpec.Template(
                        "default", Labels.NONE, spec, Optional.empty(), AllDoorsCluster.SCHEDULER, Integer.MAX_VALUE),
                owners(),
                once,
                preAllocation.isPresent() ? ReservationAllocation.RESTRICTED : allocation(),
                end(),
                false,
                List.of(),
                Labels.NONE,
                preAllocation);
        cluster.log.add("create reservation %s %s".formatted(name, reservationSpec));
        cluster.server.put(new Reservation(
                name,
                name,
                "",
                cluster.clock.instant(),
                false,
                AllDoorsCluster.SCHEDULER,
                Optional.of(reservationSpec),
                "",
                ReservationStatus.ABSENT));
    }

    /** Now and then restricted, to some resources or to all, and with a part that no owner may use. */
    private ReservationAllocation allocation() {
        Set<ResourceName> options = random.nextBoolean() ? Set.of() : Set.of(ResourceName.MEMORY);
        Resources inner = random.nextInt(6) == 0 ? Resources.of(ResourceName.CPU, 500) : Resources.NONE;
        return new ReservationAllocation(random.nextInt(4) == 0, options, inner);
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
            ReservationSpec reservationSpec = reservation.spec().orElseThrow();
            boolean listed = listsItsUsers(reservation);
            ReservationSpec edited = switch (random.nextInt(4)) {
                case 0 ->
                    with(
                            reservationSpec,
                            reservationSpec.owners(),
                            reservationSpec.allocateOnce(),
                            end(),
                            reservationSpec.unschedulable());
                case 1 ->
                    with(
                            reservationSpec,
                            reservationSpec.owners(),
                            reservationSpec.allocateOnce(),
                            reservationSpec.deadline(),
                            !reservationSpec.unschedulable());
                case 2 ->
                    with(
                            reservationSpec,
                            reservationSpec.owners(),
                            listed && !reservationSpec.allocateOnce(),
                            reservationSpec.deadline(),
                            reservationSpec.unschedulable());
                default ->
                    with(
                            reservationSpec,
                            listed ? owners() : reservationSpec.owners(),
                            reservationSpec.allocateOnce(),
                            reservationSpec.deadline(),
                            reservationSpec.unschedulable());
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
                .filter(pod -> pod.annotations().has(Claim.ANNOTATION, "koordinator/" + reservation.uid()))
                .allMatch(pod -> listed.contains(pod.uid().value()));
    }

    private static ReservationSpec with(
            ReservationSpec reservationSpec,
            List<Owner> owners,
            boolean once,
            Optional<Instant> end,
            boolean unschedulable) {
        return new ReservationSpec(
                reservationSpec.template(),
                owners,
                once,
                reservationSpec.allocation(),
                end,
                unschedulable,
                reservationSpec.taints(),
                reservationSpec.labels(),
                reservationSpec.preAllocation());
    }

    private Optional<PreAllocation> preAllocation() {
        return random.nextInt(4) == 0
                ? Optional.of(
                        new PreAllocation(PreAllocation.Mode.DEFAULT, random.nextBoolean(), random.nextInt(3) == 0))
                : Optional.empty();
    }

    private List<Owner> owners() {
        LabelSelector selector = LabelSelector.of(Labels.of("app", random.nextBoolean() ? "a" : "b"));
        return List.of(Owner.ofLabels(selector));
    }

    private Optional<Instant> end() {
        return random.nextBoolean()
                ? Optional.empty()
                : Optional.of(cluster.clock.instant().plusSeconds(10 + random.nextInt(120)));
    }

    private Optional<Reservation> one() {
        List<Reservation> all = new ArrayList<>(cluster.server.reservations.values());
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }
}
