package dev.berth.bench.holds;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.godel.GodelAnnotations;
import dev.berth.core.door.godel.GodelReservation;
import dev.berth.core.door.godel.GodelWrite;
import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.door.koordinator.ReservationSpec;
import dev.berth.core.door.koordinator.ReservationStatus;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Owner;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The nodes, pods and holds of the loads. All holds and pods have 100m cpu, and everything is numbered. */
final class BenchmarkObjects {
    static final String NAMESPACE = "bench";
    static final String SCHEDULER = "berth-scheduler";
    static final Instant CREATED = Instant.parse("2026-11-16T00:00:00Z");
    private static final long SMALL_CPU = 100;
    private static final long TTL_SECONDS = 1_000_000_000;

    private BenchmarkObjects() {}

    static String nodeName(int number) {
        return "node-%05d".formatted(number);
    }

    static NodeUid nodeUid(int number) {
        return new NodeUid("uid-" + nodeName(number));
    }

    /** A node with capacity for so many small pods. */
    static Node node(int number, int pods) {
        Labels labels = Labels.of(Map.of(Node.HOSTNAME_LABEL, nodeName(number), Node.ZONE_LABEL, "zone-" + number % 3));
        Resources allocatable = Resources.of(Map.of(ResourceName.CPU, SMALL_CPU * pods, ResourceName.PODS, pods + 10L));
        return new Node(
                nodeUid(number), nodeName(number), labels, Labels.NONE, allocatable, false, List.of(), List.of());
    }

    /** A small pod. */
    static Pod pod(String name, Labels labels, Labels annotations) {
        return pod(name, labels, annotations, SMALL_CPU);
    }

    static Pod pod(String name, Labels labels, Labels annotations, long cpu) {
        return Pod.builder(new PodUid("uid-" + name), NAMESPACE, name)
                .schedulerName(SCHEDULER)
                .labels(labels)
                .annotations(annotations)
                .returnKey(GodelAnnotations.returnKeyIn(annotations))
                .spec(shape(cpu))
                .build();
    }

    private static PodSpec shape(long cpu) {
        Resources requests = Resources.of(ResourceName.CPU, cpu);
        return PodSpec.builder().requests(requests).scoringRequests(requests).build();
    }

    /** A hold on the node for one small pod of the owner. */
    static Hold hold(int number, int node, Owner owner) {
        String name = "hold-%06d".formatted(number);
        return Hold.builder(new HoldId(name), nodeUid(node), new Origin(Origin.DoorId.NODE_ANNOTATION, "hold " + name))
                .size(smallSize())
                .allocateOnce(true)
                .owners(List.of(owner))
                .build();
    }

    /** Placed Reservations for one small pod each, as after a restart. */
    static Reservation reservation(int number, int node, Owner owner) {
        String name = "reservation-%06d".formatted(number);
        ReservationSpec.Template template =
                new ReservationSpec.Template(NAMESPACE, Labels.NONE, shape(SMALL_CPU), Optional.empty(), SCHEDULER, 0);
        ReservationSpec reservationSpec =
                new ReservationSpec(template, List.of(owner), true, false, Optional.empty(), false, List.of());
        ReservationStatus status = new ReservationStatus(
                ReservationStatus.ReservationPhase.AVAILABLE,
                nodeName(node),
                smallSize(),
                Resources.NONE,
                List.of(),
                List.of());
        return new Reservation(
                "uid-" + name, name, "1", CREATED, false, SCHEDULER, Optional.of(reservationSpec), "", status);
    }

    /** A shared Reservation on the node, for so many small pods. */
    static Reservation sharedReservation(int node, int pods, Owner owner) {
        ReservationSpec.Template template = new ReservationSpec.Template(
                NAMESPACE, Labels.NONE, shape(SMALL_CPU * pods), Optional.empty(), SCHEDULER, 0);
        ReservationSpec reservationSpec =
                new ReservationSpec(template, List.of(owner), false, false, Optional.empty(), false, List.of());
        Resources size = Resources.of(Map.of(ResourceName.CPU, SMALL_CPU * pods, ResourceName.PODS, 1L));
        ReservationStatus status = new ReservationStatus(
                ReservationStatus.ReservationPhase.AVAILABLE,
                nodeName(node),
                size,
                Resources.NONE,
                List.of(),
                List.of());
        return new Reservation(
                "uid-shared", "shared", "1", CREATED, false, SCHEDULER, Optional.of(reservationSpec), "", status);
    }

    /** The return hold of a small pod with this return key. */
    static GodelReservation godelReservation(int number, int node, String key) {
        String name = "left-%06d".formatted(number);
        return GodelReservation.builder(NAMESPACE, name, "uid-" + name, CREATED)
                .key(key)
                .originalPodUid("pod-uid-" + name)
                .nodeUid(nodeUid(node).value())
                .nodeName(nodeName(node))
                .ttlSeconds(Optional.of(TTL_SECONDS))
                .size(smallSize())
                .build();
    }

    /** The same without the node's UID, as users write it. */
    static GodelReservation withoutNodeUid(GodelReservation place) {
        return place.toBuilder().nodeUid("").build();
    }

    /** The same, drawing on another hold of the node. */
    static GodelReservation withDraw(GodelReservation place, Draw draw) {
        return place.toBuilder().draw(Optional.of(draw)).build();
    }

    /** A Reservation that the godel door wrote, as the watch shows it. */
    static GodelReservation echoOf(GodelWrite.CreateReservation write) {
        Map<String, String> annotations = write.annotations();
        return GodelReservation.builder(write.namespace(), write.name(), "uid-of-" + write.name(), Instant.now())
                .key(annotations.getOrDefault(GodelAnnotations.INDEX, ""))
                .originalPodUid(annotations.getOrDefault(GodelAnnotations.PLACEHOLDER_UID, ""))
                .nodeUid(annotations.getOrDefault(GodelAnnotations.NODE_UID, ""))
                .nodeName(write.nodeName())
                .ttlSeconds(Optional.of(write.ttl().toSeconds()))
                .size(write.template().requests().plus(Resources.of(ResourceName.PODS, 1)))
                .draw(write.draw())
                .build();
    }

    /** A pod that requests a Reservation with this return key. */
    static Labels returnRequestAnnotations(String key) {
        return returnKeyAnnotation(key).with(GodelAnnotations.RESERVATION, "true");
    }

    static Labels returnKeyAnnotation(String key) {
        return Labels.of(GodelAnnotations.INDEX, key);
    }

    static Owner ownerByLabels(LabelSelector selector) {
        return Owner.ofLabels(selector);
    }

    /** A pod that is never created. */
    static Owner absentOwner(int number) {
        return ownerByName("absent-" + number);
    }

    static Owner ownerByName(String pod) {
        return Owner.ofPod(new Owner.PodMatch(Optional.empty(), Optional.of(NAMESPACE), Optional.of(pod)));
    }

    private static Resources smallSize() {
        return Resources.of(Map.of(ResourceName.CPU, SMALL_CPU, ResourceName.PODS, 1L));
    }
}
