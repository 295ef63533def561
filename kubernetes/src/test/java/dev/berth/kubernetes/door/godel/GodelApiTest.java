package dev.berth.kubernetes.door.godel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.door.godel.GodelAnnotations;
import dev.berth.core.door.godel.GodelReservation;
import dev.berth.core.door.godel.GodelWrite;
import dev.berth.core.door.godel.ReservationRequest;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.kubernetes.effects.WriteRequest;
import dev.berth.kubernetes.projection.WireObjects;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GodelApiTest {
    private static final Resources REQUESTS =
            Resources.of(ResourceName.CPU, 1500).with(ResourceName.MEMORY, 100L << 20);
    private static final List<HostPort> PORTS =
            List.of(new HostPort("UDP", "10.0.0.1", 53), new HostPort("TCP", HostPort.ANY_ADDRESS, 8080));

    @Test
    void createdReservationIsReadBackUnchanged() {
        GodelWrite.CreateReservation createReservation = new GodelWrite.CreateReservation(
                "default",
                "res-pod",
                Map.of(
                        GodelAnnotations.INDEX,
                        "i",
                        GodelAnnotations.PLACEHOLDER_UID,
                        "p",
                        GodelAnnotations.NODE_UID,
                        "n"),
                "n1",
                Duration.ofSeconds(90),
                new GodelWrite.CreateReservation.ReservedPodTemplate("berth-scheduler", 7, REQUESTS, PORTS));
        WriteRequest request = GodelApi.create(createReservation);
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.path())
                .isEqualTo("/apis/scheduling.godel.kubewharf.io/v1alpha1/namespaces/default/reservations");
        ObjectNode object = WireObjects.yaml(new String(request.body().toBytes(), StandardCharsets.UTF_8));
        object.withObject("metadata").put("uid", "r").put("creationTimestamp", "2026-01-01T00:00:00Z");
        assertThat(read(object))
                .isEqualTo(GodelReservation.builder("default", "res-pod", "r", Instant.parse("2026-01-01T00:00:00Z"))
                        .key("i")
                        .originalPodUid("p")
                        .nodeUid("n")
                        .nodeName("n1")
                        .ttlSeconds(Optional.of(90L))
                        .size(REQUESTS.with(ResourceName.PODS, 1))
                        .hostPorts(PORTS.stream().sorted().toList())
                        .build());
        assertThat(object.at("/spec/template/spec/priority").asInt()).isEqualTo(7);
    }

    @Test
    void theDrawOfAReservationIsReadBackWithItsSuccessor() {
        Pod leaving = Pod.builder(new PodUid("p"), "default", "web-0")
                .labels(Labels.of("app", "web"))
                .returnKey(Optional.of("i"))
                .controller(Optional.of(new ControllerRef("apps/v1", "StatefulSet", "web", "s")))
                .spec(PodSpec.builder()
                        .tolerations(List.of(
                                new Toleration("a", Toleration.Operator.EQUAL, "b", Optional.empty()),
                                new Toleration(
                                        "",
                                        Toleration.Operator.EXISTS,
                                        "",
                                        Optional.of(Taint.TaintEffect.NO_SCHEDULE))))
                        .build())
                .build();
        Draw draw = Draw.forSuccessorOf(leaving, new HoldId("koordinator/r"));
        WriteRequest request = GodelApi.create(new GodelWrite.CreateReservation(
                "default",
                "web-0",
                Map.of(
                        GodelAnnotations.INDEX,
                        "i",
                        GodelAnnotations.PLACEHOLDER_UID,
                        "p",
                        GodelAnnotations.DRAWS_ON,
                        "koordinator/r"),
                "n1",
                Duration.ofSeconds(90),
                new GodelWrite.CreateReservation.ReservedPodTemplate("berth-scheduler", 7, REQUESTS, PORTS),
                Optional.of(draw)));
        ObjectNode object = WireObjects.yaml(new String(request.body().toBytes(), StandardCharsets.UTF_8));
        object.withObject("metadata").put("uid", "r").put("creationTimestamp", "2026-01-01T00:00:00Z");

        assertThat(read(object).draw()).contains(draw);
    }

    @Test
    void claimedHoldIsReadBackFromTheReservation() {
        WriteRequest request = GodelApi.create(new GodelWrite.CreateReservation(
                "default",
                "second",
                Map.of(
                        GodelAnnotations.INDEX,
                        "i",
                        GodelAnnotations.PLACEHOLDER_UID,
                        "p2",
                        GodelAnnotations.ORIGINAL_POD,
                        "second",
                        GodelAnnotations.CLAIMED_HOLD,
                        "godel/default/first/p1"),
                "n1",
                Duration.ofSeconds(90),
                new GodelWrite.CreateReservation.ReservedPodTemplate("berth-scheduler", 7, REQUESTS, PORTS)));
        ObjectNode object = WireObjects.yaml(new String(request.body().toBytes(), StandardCharsets.UTF_8));
        object.withObject("metadata").put("uid", "r").put("creationTimestamp", "2026-01-01T00:00:00Z");

        assertThat(object.at("/metadata/annotations/berth.dev~1previous-hold").asText())
                .isEqualTo("godel/default/first/p1");
        assertThat(read(object).claimedHold())
                .contains(new GodelReservation.ClaimedHold(new HoldId("godel/default/first/p1"), "second"));
    }

    @Test
    void statefulSetOfAReservationIsReadBackWithItsUid() {
        GodelReservation read = read(WireObjects.yaml("""
                apiVersion: scheduling.godel.kubewharf.io/v1alpha1
                kind: Reservation
                metadata:
                  name: web-0
                  namespace: default
                  uid: r
                  creationTimestamp: 2026-01-01T00:00:00Z
                  annotations:
                    godel.bytedance.com/reservation-owner-type: StatefulSet
                    godel.bytedance.com/reservation-owner: web
                    berth.dev/owner-uid: set-1
                spec: {nodename: n1}
                """));
        assertThat(read.statefulSetName() + " " + read.statefulSetUid()).isEqualTo("web set-1");
    }

    @Test
    void reservationWithABlankTookAnnotationHasNoClaimedHold() {
        GodelReservation read = read(WireObjects.yaml("""
                apiVersion: scheduling.godel.kubewharf.io/v1alpha1
                kind: Reservation
                metadata:
                  name: mine
                  namespace: default
                  uid: r
                  creationTimestamp: 2026-01-01T00:00:00Z
                  annotations: {berth.dev/previous-hold: " "}
                spec: {nodename: n1}
                """));
        assertThat(read.claimedHold()).isEmpty();
        assertThat(read.problem()).isEmpty();
    }

    @Test
    void handWrittenReservationMayOmitOptionalFields() {
        GodelReservation read = read(WireObjects.yaml("""
                apiVersion: scheduling.godel.kubewharf.io/v1alpha1
                kind: Reservation
                metadata: {name: mine, namespace: default, uid: r, creationTimestamp: 2026-01-01T00:00:00Z}
                spec:
                  nodename: n1
                  template: {spec: {containers: [{name: a, resources: {requests: {cpu: 2}}}]}}
                status: {phase: Matched, currentOwners: {name: back}}
                """));
        assertThat(read.ttlSeconds()).isEmpty();
        assertThat(read.key() + read.originalPodUid() + read.nodeUid()).isEmpty();
        assertThat(read.size().get(ResourceName.CPU)).isEqualTo(2000);
        assertThat(read.phase()).isEqualTo("Matched");
        assertThat(read.problem()).isEmpty();
    }

    @Test
    void malformedReservationIsReadWithItsProblem() {
        GodelReservation read = read(WireObjects.yaml("""
                apiVersion: scheduling.godel.kubewharf.io/v1alpha1
                kind: Reservation
                metadata: {name: mine, namespace: default, uid: r, creationTimestamp: 2026-01-01T00:00:00Z}
                spec:
                  nodename: n1
                  template: {spec: {containers: [{name: a, resources: {requests: {cpu: lots}}}]}}
                """));
        assertThat(read.name()).isEqualTo("mine");
        assertThat(read.problem()).contains("lots");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "godel.bytedance.com/placeholder-uid: ' '",
                "godel.bytedance.com/placeholder-uid: /",
                "berth.dev/previous-hold: godel/default/z/",
                "berth.dev/draws-on: godel/default/mine/r"
            })
    void reservationWithAMalformedAnnotationIsReadWithWhatIsWrong(String annotation) {
        GodelReservation read = read(WireObjects.yaml("""
                apiVersion: scheduling.godel.kubewharf.io/v1alpha1
                kind: Reservation
                metadata:
                  name: mine
                  namespace: default
                  uid: r
                  creationTimestamp: 2026-01-01T00:00:00Z
                  annotations:
                    godel.bytedance.com/reservation-index: i
                    %s
                spec: {nodename: n1}
                """.formatted(annotation)));
        assertThat(read.problem()).startsWith("annotation " + annotation.substring(0, annotation.indexOf(':')) + " (");
        assertThat(read.originalPodUid()).isEmpty();
        assertThat(read.claimedHold()).isEmpty();
        assertThat(read.draw()).isEmpty();
    }

    @Test
    void matchIsWrittenWithTheReservationsUidAsPrecondition() {
        WriteRequest request = GodelApi.markMatched(new GodelWrite.MarkMatched(
                "default", "res-pod", "r", new GodelWrite.Successor("default", "back", new PodUid("b"), "n1")));
        assertThat(request.method() + " " + request.path())
                .isEqualTo("PATCH /apis/scheduling.godel.kubewharf.io/v1alpha1/namespaces/default/reservations"
                        + "/res-pod/status");
        assertThat(new String(request.body().toBytes(), StandardCharsets.UTF_8))
                .isEqualTo("{\"metadata\":{\"uid\":\"r\"},\"status\":{\"phase\":\"Matched\",\"currentOwners\":"
                        + "{\"name\":\"back\",\"namespace\":\"default\",\"uid\":\"b\"}}}");
    }

    @Test
    void reservationIsDeletedWithItsUidAsPrecondition() {
        WriteRequest request = GodelApi.delete(new GodelWrite.DeleteReservation("default", "res-pod", "r"));
        assertThat(request.method()).isEqualTo("DELETE");
        assertThat(request.body().text("preconditions", "uid")).isEqualTo("r");
    }

    @Test
    void onlyTheReservationAnnotationsOfADeploymentAreRead() {
        ObjectNode asking = WireObjects.yaml("""
                apiVersion: apps/v1
                kind: Deployment
                metadata:
                  name: res-dp
                  namespace: default
                  uid: d
                  annotations: {godel.bytedance.com/reservation: "true", other: x}
                spec: {replicas: 3}
                """);
        ReservationRequestProjection projection =
                new ReservationRequestProjection(ReservationRequest.RequesterKind.DEPLOYMENT);
        ReservationRequest reservationRequest = new ReservationRequest("default", "res-dp", "d", "true", "");
        assertThat(WireObjects.readFromJson(projection, asking).view()).contains(reservationRequest);
        assertThat(WireObjects.readFromProtobuf(projection, asking).view()).contains(reservationRequest);
        asking.withObject("metadata").remove("annotations");
        assertThat(WireObjects.readFromJson(projection, asking).view())
                .as("nothing is kept of the many that say nothing")
                .isEmpty();
    }

    private static GodelReservation read(ObjectNode object) {
        return WireObjects.readFromJson(new GodelReservationProjection(), object)
                .view()
                .orElseThrow();
    }
}
