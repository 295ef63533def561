package dev.berth.kubernetes.door.comeback;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.door.comeback.ComebackWrite;
import dev.berth.core.door.comeback.Petition;
import dev.berth.core.door.comeback.Placeholder;
import dev.berth.core.door.comeback.Words;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.kubernetes.effects.ObjectRequest;
import dev.berth.kubernetes.projection.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ComebackTest {
    private static final Resources REQUESTS =
            Resources.of(ResourceName.CPU, 1500).with(ResourceName.MEMORY, 100L << 20);
    private static final List<HostPort> PORTS =
            List.of(new HostPort("UDP", "10.0.0.1", 53), new HostPort("TCP", HostPort.ANY_ADDRESS, 8080));

    @Test
    void whatIsWrittenIsReadBackAsItWasMeant() {
        ComebackWrite.Create create = new ComebackWrite.Create(
                "default",
                "res-pod",
                Map.of(ReturnKey.INDEX, "i", Words.PLACEHOLDER_UID, "p", Words.NODE_UID, "n"),
                "n1",
                Duration.ofSeconds(90),
                new ComebackWrite.Create.Template("berth-scheduler", 7, REQUESTS, PORTS));
        ObjectRequest request = Comeback.create(create);
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.path())
                .isEqualTo("/apis/scheduling.godel.kubewharf.io/v1alpha1/namespaces/default/reservations");
        ObjectNode object = Wire.yaml(new String(request.body().write(), StandardCharsets.UTF_8));
        object.withObject("metadata").put("uid", "r").put("creationTimestamp", "2026-01-01T00:00:00Z");
        assertThat(read(object))
                .isEqualTo(Placeholder.builder("default", "res-pod", "r", Instant.parse("2026-01-01T00:00:00Z"))
                        .key("i")
                        .podUid("p")
                        .nodeUid("n")
                        .node("n1")
                        .ttl(Optional.of(90L))
                        .size(REQUESTS.with(ResourceName.PODS, 1))
                        .ports(PORTS.stream().sorted().toList())
                        .build());
        assertThat(object.at("/spec/template/spec/priority").asInt()).isEqualTo(7);
    }

    @Test
    void whatAReservationDrawsOnIsReadBackWithTheSuccessorItIsFor() {
        Pod leaving = Pod.builder(new PodUid("p"), "default", "web-0")
                .labels(Labels.of("app", "web"))
                .annotations(Labels.of(ReturnKey.INDEX, "i"))
                .controller(Optional.of(new ControllerRef("apps/v1", "StatefulSet", "web", "s")))
                .shape(PodShape.builder()
                        .tolerations(List.of(
                                new Toleration("a", Toleration.Operator.EQUAL, "b", Optional.empty()),
                                new Toleration(
                                        "", Toleration.Operator.EXISTS, "", Optional.of(Taint.Effect.NO_SCHEDULE))))
                        .build())
                .build();
        Draw draw = Draw.forSuccessorOf(leaving, new HoldId("reservation/r"));
        ObjectRequest request = Comeback.create(new ComebackWrite.Create(
                "default",
                "web-0",
                Map.of(ReturnKey.INDEX, "i", Words.PLACEHOLDER_UID, "p", Words.DRAWS_ON, "reservation/r"),
                "n1",
                Duration.ofSeconds(90),
                new ComebackWrite.Create.Template("berth-scheduler", 7, REQUESTS, PORTS),
                Optional.of(draw)));
        ObjectNode object = Wire.yaml(new String(request.body().write(), StandardCharsets.UTF_8));
        object.withObject("metadata").put("uid", "r").put("creationTimestamp", "2026-01-01T00:00:00Z");

        assertThat(read(object).draw()).contains(draw);
    }

    @Test
    void placeThatAPodTookIsReadBackFromItsReservation() {
        ObjectRequest request = Comeback.create(new ComebackWrite.Create(
                "default",
                "second",
                Map.of(
                        ReturnKey.INDEX,
                        "i",
                        Words.PLACEHOLDER_UID,
                        "p2",
                        Words.ORIGINAL_POD,
                        "second",
                        Words.TOOK,
                        "return/default/first/p1"),
                "n1",
                Duration.ofSeconds(90),
                new ComebackWrite.Create.Template("berth-scheduler", 7, REQUESTS, PORTS)));
        ObjectNode object = Wire.yaml(new String(request.body().write(), StandardCharsets.UTF_8));
        object.withObject("metadata").put("uid", "r").put("creationTimestamp", "2026-01-01T00:00:00Z");

        assertThat(object.at("/metadata/annotations/berth.dev~1took").asText()).isEqualTo("return/default/first/p1");
        assertThat(read(object).took()).contains(new Placeholder.Took(new HoldId("return/default/first/p1"), "second"));
    }

    @Test
    void statefulSetOfAReservationIsReadBackWithItsUid() {
        Placeholder read = read(Wire.yaml("""
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
        assertThat(read.statefulSet() + " " + read.statefulSetUid()).isEqualTo("web set-1");
    }

    @Test
    void reservationWithABlankTookAnnotationTookNoPlace() {
        Placeholder read = read(Wire.yaml("""
                apiVersion: scheduling.godel.kubewharf.io/v1alpha1
                kind: Reservation
                metadata:
                  name: mine
                  namespace: default
                  uid: r
                  creationTimestamp: 2026-01-01T00:00:00Z
                  annotations: {berth.dev/took: " "}
                spec: {nodename: n1}
                """));
        assertThat(read.took()).isEmpty();
        assertThat(read.problem()).isEmpty();
    }

    @Test
    void aReservationMadeByHandMayLeaveOutWhatItLikes() {
        Placeholder read = read(Wire.yaml("""
                apiVersion: scheduling.godel.kubewharf.io/v1alpha1
                kind: Reservation
                metadata: {name: mine, namespace: default, uid: r, creationTimestamp: 2026-01-01T00:00:00Z}
                spec:
                  nodename: n1
                  template: {spec: {containers: [{name: a, resources: {requests: {cpu: 2}}}]}}
                status: {phase: Matched, currentOwners: {name: back}}
                """));
        assertThat(read.ttl()).isEmpty();
        assertThat(read.key() + read.podUid() + read.nodeUid()).isEmpty();
        assertThat(read.size().get(ResourceName.CPU)).isEqualTo(2000);
        assertThat(read.phase()).isEqualTo("Matched");
        assertThat(read.problem()).isEmpty();
    }

    @Test
    void aReservationThatMakesNoSenseIsReadWithWhatIsWrong() {
        Placeholder read = read(Wire.yaml("""
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
                "berth.dev/took: return/default/z/",
                "berth.dev/draws-on: return/default/mine/r"
            })
    void reservationWithAMalformedAnnotationIsReadWithWhatIsWrong(String annotation) {
        Placeholder read = read(Wire.yaml("""
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
        assertThat(read.podUid()).isEmpty();
        assertThat(read.took()).isEmpty();
        assertThat(read.draw()).isEmpty();
    }

    @Test
    void aMatchIsMarkedOnTheVeryReservation() {
        ObjectRequest request = Comeback.match(new ComebackWrite.Match(
                "default", "res-pod", "r", new ComebackWrite.Taker("default", "back", new PodUid("b"), "n1")));
        assertThat(request.method() + " " + request.path())
                .isEqualTo("PATCH /apis/scheduling.godel.kubewharf.io/v1alpha1/namespaces/default/reservations"
                        + "/res-pod/status");
        assertThat(new String(request.body().write(), StandardCharsets.UTF_8))
                .isEqualTo("{\"metadata\":{\"uid\":\"r\"},\"status\":{\"phase\":\"Matched\",\"currentOwners\":"
                        + "{\"name\":\"back\",\"namespace\":\"default\",\"uid\":\"b\"}}}");
    }

    @Test
    void theVeryReservationIsDeletedAndNoOther() {
        ObjectRequest request = Comeback.delete(new ComebackWrite.Delete("default", "res-pod", "r"));
        assertThat(request.method()).isEqualTo("DELETE");
        assertThat(request.body().text("preconditions", "uid")).isEqualTo("r");
    }

    @Test
    void ofADeploymentOnlyWhatItAsksIsRead() {
        ObjectNode asking = Wire.yaml("""
                apiVersion: apps/v1
                kind: Deployment
                metadata:
                  name: res-dp
                  namespace: default
                  uid: d
                  annotations: {godel.bytedance.com/reservation: "true", other: x}
                spec: {replicas: 3}
                """);
        PetitionProjection projection = new PetitionProjection(Petition.Kind.DEPLOYMENT);
        Petition petition = new Petition("default", "res-dp", "d", "true", "");
        assertThat(Wire.throughJson(projection, asking).view()).contains(petition);
        assertThat(Wire.throughProtobuf(projection, asking).view()).contains(petition);
        asking.withObject("metadata").remove("annotations");
        assertThat(Wire.throughJson(projection, asking).view())
                .as("nothing is kept of the many that say nothing")
                .isEmpty();
    }

    private static Placeholder read(ObjectNode object) {
        return Wire.throughJson(new PlaceholderProjection(), object).view().orElseThrow();
    }
}
