package dev.berth.kubernetes.door.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.door.koordinator.Reservation;
import dev.berth.kubernetes.projection.WireObjects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reservations that ask for features of Koordinator that Berth does not have. */
class UnsupportedReservationFeaturesTest {
    private static final String GANG = "gang.scheduling.koordinator.sh/name";
    private static final String RESOURCE_SPEC = "scheduling.koordinator.sh/resource-spec";
    private static final String RESIZE = "scheduling.koordinator.sh/reservation-resize-allocatable";

    private final ObjectNode reservation = WireObjects.yaml("""
            apiVersion: scheduling.koordinator.sh/v1alpha1
            kind: Reservation
            metadata: {name: r, uid: u, resourceVersion: "7", creationTimestamp: "2026-01-01T00:00:00Z"}
            spec:
              template: {spec: {containers: [{name: c, resources: {requests: {cpu: 1}}}]}}
              owners: [{labelSelector: {matchLabels: {app: web}}}]
            """);

    @Test
    void aGangOfTheReservationOrOfItsTemplateIsReported() {
        reservation.withObject("/metadata/annotations").put(GANG, "train");
        assertThat(unsupported())
                .isEqualTo("metadata uses gang scheduling (annotation gang.scheduling.koordinator.sh/name: train),"
                        + " which Berth does not support yet. Remove the labels and annotations of gangs: Berth then"
                        + " schedules each member by itself");
        reservation.withObject("/metadata/annotations").remove(GANG);
        reservation.withObject("/spec/template/metadata/labels").put("pod-group.scheduling.sigs.k8s.io", "train");
        assertThat(unsupported())
                .startsWith("spec.template uses gang scheduling (label pod-group.scheduling.sigs.k8s.io: train)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"requests", "limits"})
    void aRequestForADeviceOfKoordinatorIsReported(String amounts) {
        ((ObjectNode) reservation.at("/spec/template/spec/containers/0/resources"))
                .withObject(amounts)
                .put("koordinator.sh/gpu-core", "50");
        assertThat(unsupported())
                .isEqualTo(
                        "spec.template uses a device by Koordinator's resource (request koordinator.sh/gpu-core: 50),"
                                + " which Berth does not support yet. Request whole devices by the resource of their device"
                                + " plugin, such as nvidia.com/gpu");
        assertThat(read().spec())
                .as("another scheduler may support it, and its Reservation is held as before")
                .isPresent();
    }

    @Test
    void theResizeAnnotationMayNotRequestADeviceOfKoordinatorUnlessTheReservationIsPlaced() {
        reservation.withObject("/metadata/annotations").put(RESIZE, "{\"resources\":{\"koordinator.sh/gpu\":\"100\"}}");
        assertThat(unsupported()).contains("(request koordinator.sh/gpu: 100)");
        place();
        assertThat(unsupported()).isEmpty();
    }

    @Test
    void whatKoordSchedulerWroteOnAPlacedReservationIsAccepted() {
        place();
        reservation
                .withObject("/metadata/annotations")
                .put("scheduling.koordinator.sh/device-allocated", "{\"gpu\":[{\"minor\":0}]}")
                .put("scheduling.koordinator.sh/resource-status", "{\"cpuset\":\"0-3\"}")
                .put(RESOURCE_SPEC, "{\"preferredCPUBindPolicy\":\"FullPCPUs\"}")
                .put("internal.scheduling.koordinator.sh/bind-gang-group-id", "a/b")
                .put("scheduling.koordinator.sh/bind-gang-member-count", "2");
        assertThat(unsupported()).isEmpty();
    }

    @Test
    void aPolicyForCpusIsReportedUnlessTheReservationIsPlacedWithItsResult() {
        reservation
                .withObject("/metadata/annotations")
                .put(RESOURCE_SPEC, "{\"preferredCPUBindPolicy\":\"FullPCPUs\"}")
                .put("scheduling.koordinator.sh/resource-status", "{\"cpuset\":\"0-3\"}");
        assertThat(unsupported()).contains("a policy for cpus");
        place();
        assertThat(unsupported()).isEmpty();
        reservation.withObject("/metadata/annotations").remove("scheduling.koordinator.sh/resource-status");
        assertThat(unsupported()).contains("a policy for cpus");
    }

    @Test
    void aPlacedReservationThatAsksForAGangIsReported() {
        place();
        reservation.withObject("/spec/template/metadata/annotations").put(GANG, "train");
        assertThat(unsupported()).contains("gang scheduling");
    }

    private void place() {
        reservation.withObject("status").put("phase", "Available").put("nodeName", "node-1");
    }

    private String unsupported() {
        return read().unsupported();
    }

    private Reservation read() {
        return WireObjects.readFromJson(new ReservationProjection(), reservation)
                .view()
                .orElseThrow();
    }
}
