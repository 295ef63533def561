package dev.berth.kubernetes.door.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.door.koordinator.CurrentOwner;
import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.door.koordinator.ReservationCondition;
import dev.berth.core.door.koordinator.ReservationStatus;
import dev.berth.core.door.koordinator.ReservationStatus.ReservationPhase;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.ResourceName;
import dev.berth.kubernetes.informer.InformerSettings;
import dev.berth.kubernetes.projection.PodProjection;
import dev.berth.kubernetes.projection.WireObjects;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Berth reads what koord-scheduler writes: the status of a Reservation, and the record of a pod. */
class KoordSchedulerStatusTest {
    private static final Instant PLACED = Instant.parse("2026-03-01T10:00:00Z");
    private static final Instant USED = Instant.parse("2026-03-02T11:30:00Z");

    private static ReservationStatus status(String yaml) {
        Reservation reservation = WireObjects.readFromJson(
                        new ReservationProjection(), WireObjects.yaml("""
                        apiVersion: scheduling.koordinator.sh/v1alpha1
                        kind: Reservation
                        metadata: {name: r, uid: u-r, resourceVersion: "7", creationTimestamp: "2026-03-01T09:59:58Z"}
                        spec:
                          ttl: 24h0m0s
                          allocateOnce: false
                          owners: [{labelSelector: {matchLabels: {app: web}}}]
                          template:
                            spec:
                              schedulerName: koord-scheduler
                              containers: [{name: main, resources: {requests: {cpu: "6", memory: 8Gi}}}]
                        status:
                        """ + yaml.indent(2)))
                .view()
                .orElseThrow();
        assertThat(reservation.problem()).isEmpty();
        assertThat(reservation.shownUntil()).as("Koordinator has no such text").isEmpty();
        return reservation.status();
    }

    private static ReservationCondition condition(
            ReservationCondition.Type type, boolean isTrue, String reason, Instant probed, Instant changed) {
        return new ReservationCondition(type, isTrue, reason, "", probed, changed);
    }

    @Test
    void anAvailableReservationHasItsPlaceItsOwnersAndItsTimes() {
        ReservationStatus read = status("""
                phase: Available
                nodeName: node-0
                allocatable: {cpu: "6", memory: 8Gi}
                allocated: {cpu: "4", memory: 4Gi}
                currentOwners:
                - {namespace: default, name: web-1, uid: u-1}
                - {namespace: default, name: web-2, uid: u-2}
                conditions:
                - {type: Scheduled, status: "True", reason: Scheduled, lastProbeTime: "2026-03-01T10:00:00Z", lastTransitionTime: "2026-03-01T10:00:00Z"}
                - {type: Ready, status: "True", reason: Available, lastProbeTime: "2026-03-01T10:00:00Z", lastTransitionTime: "2026-03-01T10:00:00Z"}
                """);
        assertThat(read.isAvailable()).isTrue();
        assertThat(read.nodeName()).isEqualTo("node-0");
        assertThat(read.allocatable().get(ResourceName.CPU)).isEqualTo(6000);
        assertThat(read.allocated().get(ResourceName.CPU)).isEqualTo(4000);
        assertThat(read.currentOwners())
                .containsExactly(
                        new CurrentOwner("default", "web-1", "u-1"), new CurrentOwner("default", "web-2", "u-2"));
        assertThat(read.conditions())
                .containsExactly(
                        condition(ReservationCondition.Type.SCHEDULED, true, "Scheduled", PLACED, PLACED),
                        condition(ReservationCondition.Type.READY, true, "Available", PLACED, PLACED));
    }

    @Test
    void aSucceededReservationEndedAtTheProbeTime() {
        ReservationStatus read = status("""
                phase: Succeeded
                nodeName: node-0
                allocatable: {cpu: "6"}
                conditions:
                - {type: Ready, status: "False", reason: Succeeded, lastProbeTime: "2026-03-02T11:30:00Z", lastTransitionTime: "2026-03-01T10:00:00Z"}
                """);
        assertThat(read.phase()).isEqualTo(ReservationPhase.SUCCEEDED);
        assertThat(read.conditions())
                .containsExactly(condition(ReservationCondition.Type.READY, false, "Succeeded", USED, PLACED));
    }

    @Test
    void theRecordOfAPodNamesTheHoldOfItsReservation() {
        PodProjection projection = new PodProjection(
                key -> InformerSettings.DEFAULT.annotationPrefixes().stream().anyMatch(key::startsWith));
        Pod pod = WireObjects.readFromJson(projection, WireObjects.yaml("""
                        apiVersion: v1
                        kind: Pod
                        metadata:
                          name: web-1
                          uid: u-1
                          annotations: {scheduling.koordinator.sh/reservation-allocated: '{"name":"r","uid":"u-r"}'}
                        spec: {nodeName: node-0, containers: []}
                        """))
                .view()
                .orElseThrow()
                .pod();
        assertThat(Claim.holdRecordedByAnyScheduler(pod)).contains(new HoldId("koordinator/u-r"));
    }
}
