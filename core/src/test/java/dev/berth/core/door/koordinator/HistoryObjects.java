package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.PodBuilder.aPod;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.ReservationAffinity;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.door.koordinator.preallocation.PreAllocation;
import dev.berth.core.hold.Owner;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.PodBuilder;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/** The nodes, pods and Reservations of {@link RandomHistory}. */
final class HistoryObjects {
    static final List<String> NODES = List.of("n1", "n2", "n3", "n4");
    static final int CPUS_OF_A_NODE = 6;
    static final String CANDIDATE = "pod.koordinator.sh/is-pre-allocatable";
    static final String PROTECTED = "scheduling.koordinator.sh/disable-preemptible";

    private static final String ORDER = "scheduling.koordinator.sh/reservation-order";
    private static final Toleration OF_TAINT =
            new Toleration("dedicated", Toleration.Operator.EQUAL, "db", Optional.empty());
    private static final Toleration OF_CORDON =
            new Toleration(Taint.UNSCHEDULABLE.key(), Toleration.Operator.EXISTS, "", Optional.empty());

    private final KoordinatorScene scene;
    private final SplittableRandom random;
    private final Set<String> usedUids = new HashSet<>();
    private int names;

    HistoryObjects(KoordinatorScene scene, SplittableRandom random) {
        this.scene = scene;
        this.random = random;
    }

    boolean oneIn(int count) {
        return random.nextInt(count) == 0;
    }

    String name(String kind) {
        names++;
        return "%s%03d".formatted(kind, names);
    }

    String cpus() {
        return (1 + random.nextInt(4)) + " cpu";
    }

    // Reservations.

    ReservationBuilder reservation() {
        ReservationBuilder made = aReservation(name("r"))
                .createdAt(scene.clock.instant())
                .ofPriority(5 + random.nextInt(4) * 10)
                .unschedulable(oneIn(10));
        if (oneIn(5)) {
            made.requesting((1 + random.nextInt(2)) + " pods", cpus());
        } else {
            made.requesting(cpus());
        }
        if (random.nextBoolean()) {
            made.shared();
        }
        policy(made);
        own(made);
        place(made);
        if (!oneIn(4)) {
            made.until(scene.clock.instant().plusSeconds(60 + random.nextInt(3_000)));
        }
        if (oneIn(4)) {
            made.labelled(ORDER, "" + random.nextInt(3));
        }
        if (oneIn(3)) {
            made.labelled("team", "x");
        }
        if (oneIn(8)) {
            made.tainted(OF_TAINT.key(), OF_TAINT.value());
        }
        return made;
    }

    private void policy(ReservationBuilder made) {
        switch (random.nextInt(10)) {
            case 0, 1 -> made.restricted();
            case 2 -> made.restrictedTo("cpu");
            case 3 -> made.keepingFromOwners("1 cpu");
            case 4, 5 -> {
                made.restricted().preAllocating(PreAllocation.Mode.DEFAULT, random.nextBoolean());
                if (oneIn(4)) {
                    made.requiringPreAllocation();
                }
            }
            case 6, 7 -> made.restricted().preAllocating(PreAllocation.Mode.CLUSTER, random.nextBoolean());
            default -> {}
        }
    }

    private void place(ReservationBuilder made) {
        if (oneIn(4)) {
            AntiAffinityGroups.any(random)
                    .ifPresent(group -> made.withTemplateLabel(AntiAffinityGroups.LABEL, group)
                            .withTemplate(spec -> AntiAffinityGroups.apart(spec, group)));
        }
        if (oneIn(6)) {
            made.requestingHostPort(8080);
        }
        if (oneIn(10)) {
            made.onNode(NODES.get(random.nextInt(NODES.size())));
        }
        if (oneIn(8)) {
            made.neverPreempting();
        }
    }

    /** Owners by labels, by the name or the UID of a pod, by a controller, or by one of two entries. */
    void own(ReservationBuilder made) {
        int entries = oneIn(4) ? 2 : 1;
        for (int entry = 0; entry < entries; entry++) {
            made.forOwner(
                    switch (random.nextInt(6)) {
                        case 0 ->
                            Owner.ofPod(new Owner.PodMatch(
                                    Optional.empty(), Optional.of("default"), Optional.of(ordinalName())));
                        case 1 ->
                            Owner.ofPod(
                                    new Owner.PodMatch(Optional.of(futureUid()), Optional.empty(), Optional.empty()));
                        case 2 ->
                            Owner.ofController(new Owner.ControllerMatch(
                                    Optional.of("apps/v1"),
                                    Optional.of("ReplicaSet"),
                                    Optional.empty(),
                                    Optional.of("rs"),
                                    Optional.empty(),
                                    Optional.of(true)));
                        default -> Owner.ofLabels(LabelSelector.of(Labels.of("app", "web")));
                    });
        }
    }

    /** The name of one of the pods that are created again and again under the same name. */
    private String ordinalName() {
        return "db-" + random.nextInt(3);
    }

    /** The UID of a pod that does not exist yet. */
    private String futureUid() {
        names++;
        return new UUID(0, names).toString();
    }

    // Pods.

    PodBuilder pod() {
        String name = ordinalName();
        boolean ordinal = oneIn(4) && !scene.hasPod(name);
        PodBuilder made = ordinal ? aPod(name).uid(name("u")) : aPod(name("p"));
        made.asking(cpus()).ofPriority(random.nextInt(4) * 10);
        if (!oneIn(3)) {
            made.labelled("app", "web");
        }
        label(made);
        if (oneIn(5)) {
            AntiAffinityGroups.any(random)
                    .ifPresent(group -> made.labelled(AntiAffinityGroups.LABEL, group)
                            .withSpec(spec -> AntiAffinityGroups.apart(spec, group)));
        }
        if (oneIn(7)) {
            made.withHostPort(8080);
        }
        tolerate(made);
        constrain(made);
        return made;
    }

    private void label(PodBuilder made) {
        if (oneIn(3)) {
            made.ownedBy("ReplicaSet/rs");
        }
        if (oneIn(5)) {
            made.labelled(PROTECTED, "true");
        }
        if (oneIn(4)) {
            made.labelled("budget", "b");
        }
        if (oneIn(2)) {
            made.labelled(CANDIDATE, "true");
        }
        if (oneIn(16)) {
            made.ignoringReservations();
        }
    }

    private void tolerate(PodBuilder made) {
        switch (random.nextInt(6)) {
            case 0 -> made.withSpec(spec -> spec.tolerations(List.of(OF_TAINT)));
            case 1 -> made.withSpec(spec -> spec.tolerations(List.of(OF_CORDON)));
            default -> {}
        }
    }

    private void constrain(PodBuilder made) {
        if (oneIn(4)) {
            constrain(made, Optional.of(affinity()), List.of());
        } else if (oneIn(6)) {
            constrain(made, Optional.empty(), List.of(ResourceName.CPU));
        }
    }

    private static void constrain(
            PodBuilder made, Optional<ReservationAffinity> affinity, List<ResourceName> exactMatch) {
        made.withSpec(spec -> spec.reservations(new ReservationConstraints(affinity, exactMatch, Optional.empty())));
    }

    private ReservationAffinity affinity() {
        List<Reservation> there = scene.reservations();
        List<Toleration> tolerations = switch (random.nextInt(3)) {
            case 0 -> List.of();
            case 1 -> List.of(OF_TAINT);
            default -> List.of(OF_TAINT, OF_CORDON);
        };
        if (!there.isEmpty() && random.nextBoolean()) {
            String name = there.get(random.nextInt(there.size())).name();
            return new ReservationAffinity(Optional.of(name), Labels.NONE, Optional.empty(), tolerations);
        }
        Labels selector = random.nextBoolean() ? Labels.of("team", "x") : Labels.NONE;
        return new ReservationAffinity(Optional.empty(), selector, Optional.empty(), tolerations);
    }

    /** A pod that must use the Reservation, or one of its size. */
    PodBuilder ownerOf(Reservation reservation) {
        ReservationSpec.Template template = reservation.spec().orElseThrow().template();
        long cpus = template.spec().requests().get(ResourceName.CPU) / 1000;
        boolean exact = random.nextBoolean();
        PodBuilder made = named(reservation.spec().orElseThrow().owners())
                .asking((exact ? cpus : 1 + random.nextLong(cpus)) + " cpu")
                .ofPriority(random.nextInt(4) * 10)
                .labelled("app", "web")
                .ownedBy("ReplicaSet/rs");
        if (!template.spec().hostPorts().isEmpty() && random.nextBoolean()) {
            made.withHostPort(8080);
        }
        switch (random.nextInt(4)) {
            case 0 ->
                constrain(
                        made,
                        Optional.of(new ReservationAffinity(
                                Optional.of(reservation.name()),
                                Labels.NONE,
                                Optional.empty(),
                                oneIn(2) ? List.of(OF_TAINT, OF_CORDON) : List.of())),
                        List.of());
            case 1 -> constrain(made, Optional.empty(), List.of(ResourceName.CPU));
            default -> tolerate(made);
        }
        return made;
    }

    /** With the name or the UID that the owners say. A UID is never used for two pods. */
    private PodBuilder named(List<Owner> owners) {
        List<Owner.PodMatch> pods =
                owners.stream().flatMap(owner -> owner.pod().stream()).toList();
        Optional<String> free = pods.stream()
                .flatMap(pod -> pod.name().stream())
                .filter(it -> !scene.hasPod(it))
                .findFirst();
        if (free.isPresent()) {
            return aPod(free.get()).uid(name("u"));
        }
        Optional<String> uid =
                pods.stream().flatMap(pod -> pod.uid().stream()).findFirst().filter(usedUids::add);
        PodBuilder made = aPod(name("p"));
        return uid.map(made::uid).orElse(made);
    }

    /** A pod that another scheduler binds. */
    Pod boundTo(String node) {
        PodBuilder made = aPod(name("p")).asking(cpus()).on(node);
        if (random.nextBoolean()) {
            made.labelled("app", "web");
        }
        label(made);
        return made.build();
    }
}
