package dev.berth.kubernetes.door.reservation;

import static dev.berth.core.testing.Amounts.amounts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Need;
import dev.berth.core.cluster.Taint;
import dev.berth.core.door.reservation.Condition;
import dev.berth.core.door.reservation.CurrentOwner;
import dev.berth.core.door.reservation.Reservation;
import dev.berth.core.door.reservation.ReservationWrite;
import dev.berth.core.door.reservation.Status;
import dev.berth.core.door.reservation.Terms;
import dev.berth.core.door.reservation.UnknownFields;
import dev.berth.core.hold.Owner;
import dev.berth.kubernetes.effects.ObjectRequest;
import dev.berth.kubernetes.format.Format;
import dev.berth.kubernetes.format.Readers;
import dev.berth.kubernetes.projection.PodProjection;
import dev.berth.kubernetes.projection.Seen;
import dev.berth.kubernetes.projection.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reservations as people write them, and what is written back. */
class ReservationWireTest {
    private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");
    private static final String USUAL = """
            apiVersion: scheduling.koordinator.sh/v1alpha1
            kind: Reservation
            metadata:
              name: demo
              uid: u1
              resourceVersion: "7"
              creationTimestamp: "2026-01-01T00:00:00Z"
              labels: {tier: front}
            spec:
              template:
                metadata:
                  namespace: shop
                  labels: {app: demo, tier: back}
                spec:
                  schedulerName: koord-scheduler
                  nodeName: node-1
                  containers:
                  - name: main
                    ports: [{containerPort: 80, hostPort: 8080, protocol: TCP}]
                    resources: {requests: {cpu: 500m, memory: 800Mi}}
                  - name: limited
                    resources: {limits: {cpu: 1}}
              owners:
              - object: {apiVersion: v1, name: pod-demo-0, namespace: default}
              - controller: {apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: "", controller: true}
              - labelSelector: {matchLabels: {app: web}, matchExpressions: [{key: x, operator: In, values: [a, b]}]}
              ttl: 1h
              allocateOnce: false
              allocatePolicy: Restricted
              taints: [{key: team, value: a, effect: NoSchedule}]
            """;

    @Test
    void aSpecificationNestedTooDeepIsReportedAndTheStatusIsReadAllTheSame() {
        String deep = "{\"a\":".repeat(1_200) + "1" + "}".repeat(1_200);
        String object = """
                {"apiVersion":"scheduling.koordinator.sh/v1alpha1","kind":"Reservation","metadata":{"managedFields":[%s],
                 "name":"r","uid":"u","generation":3,"resourceVersion":"7","creationTimestamp":"2026-01-01T00:00:00Z"},
                 "spec":{"template":{"spec":{"deep":%1$s,"schedulerName":"koord-scheduler"}}},
                 "status":{"phase":"Available","nodeName":"n1","allocatable":{"cpu":"2"},
                  "conditions":[{"type":"Ready","status":"True","lastTransitionTime":"2026-01-01T00:00:01Z"}]}}
                """.formatted(deep);
        List<Seen<Reservation>> seen = new ArrayList<>();
        new Readers().object(Format.JSON, object.getBytes(UTF_8), in -> seen.add(new ReservationProjection().read(in)));
        Reservation reservation = seen.get(0).view().orElseThrow();
        assertThat(reservation.problem()).contains("nesting depth");
        assertThat(reservation.uid()).isEqualTo("u");
        assertThat(reservation.schedulerName()).isEqualTo("koord-scheduler");
        assertThat(reservation.status().available()).isTrue();
        assertThat(reservation.status().nodeName()).isEqualTo("n1");
    }

    @Test
    void allThatIsAskedForIsRead() {
        Reservation read = read(Wire.yaml(USUAL));
        Terms terms = read.terms().orElseThrow();
        assertThat(read.problem()).isEmpty();
        assertThat(read.version()).isEqualTo("7");
        assertThat(read.schedulerName()).isEqualTo("koord-scheduler");
        assertThat(read.status()).isEqualTo(Status.NEW);
        assertThat(terms.once()).isFalse();
        assertThat(terms.restricted()).isTrue();
        assertThat(terms.end()).contains(CREATED.plusSeconds(3600));
        assertThat(terms.taints()).containsExactly(new Taint("team", "a", Taint.Effect.NO_SCHEDULE));
    }

    @Test
    void fieldsOfTheTemplateThatKubernetesDoesNotHaveAreFoundWithTheirPaths() {
        assertThat(read(Wire.yaml(USUAL)).unknownFields()).isEqualTo(UnknownFields.NONE);

        String typos = USUAL.replace("nodeName: node-1", "nodeSelectors: {a: b}\n      tolerration: []")
                .replace("resources: {limits: {cpu: 1}}", "resource: {limits: {cpu: 1}}")
                .replace("requests: {cpu: 500m", "request: {cpu: 500m")
                .replace("namespace: shop", "nameSpace: shop");
        Reservation read = read(Wire.yaml(typos));
        assertThat(read.problem()).isEmpty();
        assertThat(read.unknownFields().first())
                .containsExactly(
                        "spec.template.metadata.nameSpace",
                        "spec.template.spec.nodeSelectors",
                        "spec.template.spec.tolerration",
                        "spec.template.spec.containers[0].resources.request",
                        "spec.template.spec.containers[1].resource");
    }

    @Test
    void anUnknownFieldIsFoundAlsoIfTheTemplateMakesNoSenseWithoutIt() {
        Reservation read = read(Wire.yaml(USUAL.replace("containers:", "contianers:")));
        assertThat(read.problem()).contains("spec.template.spec.containers is empty");
        assertThat(read.unknownFields().first()).containsExactly("spec.template.spec.contianers");
    }

    @Test
    void theTemplateIsReadAsAPodWouldBe() {
        Terms.Template template = read(Wire.yaml(USUAL)).terms().orElseThrow().template();
        assertThat(template.shape().requests())
                .as("a limit without a request is one")
                .isEqualTo(amounts("1500m cpu", "800Mi memory"));
        assertThat(template.shape().hostPorts()).containsExactly(new HostPort("TCP", HostPort.ANY_ADDRESS, 8080));
        assertThat(template.nodeName()).contains("node-1");
        assertThat(template.namespace()).isEqualTo("shop");
        assertThat(template.labels().get("tier"))
                .as("the reservation's own label")
                .contains("front");
        assertThat(template.priority()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void templateOnTheNetworkOfItsHostKeepsThePortsOfItsContainers() {
        String ports =
                "ports: [{containerPort: 80, protocol: TCP}, {containerPort: 81, hostPort: 8081, protocol: UDP}]";
        String onHost = USUAL.replace("ports: [{containerPort: 80, hostPort: 8080, protocol: TCP}]", ports);

        assertThat(portsOf(onHost)).containsExactly(new HostPort("UDP", HostPort.ANY_ADDRESS, 8081));
        assertThat(portsOf(onHost.replace("nodeName: node-1", "nodeName: node-1\n      hostNetwork: true")))
                .containsExactlyInAnyOrder(
                        new HostPort("UDP", HostPort.ANY_ADDRESS, 8081), new HostPort("TCP", HostPort.ANY_ADDRESS, 80));
    }

    private static List<HostPort> portsOf(String reservation) {
        return read(Wire.yaml(reservation))
                .terms()
                .orElseThrow()
                .template()
                .shape()
                .hostPorts();
    }

    @Test
    void theKindThatAnOwnersObjectNamesIsReadToBeReported() {
        String named = USUAL.replace("object: {apiVersion: v1,", "object: {apiVersion: apps/v1, kind: StatefulSet,");

        assertThat(read(Wire.yaml(named))
                        .terms()
                        .orElseThrow()
                        .owners()
                        .get(0)
                        .pod()
                        .orElseThrow()
                        .kind())
                .contains("StatefulSet");
    }

    @Test
    void ownersAreReadAndWhatIsEmptyIsNotCompared() {
        List<Owner> owners = read(Wire.yaml(USUAL)).terms().orElseThrow().owners();
        assertThat(owners.get(0).pod())
                .contains(new Owner.PodMatch(Optional.empty(), Optional.of("default"), Optional.of("pod-demo-0")));
        assertThat(owners.get(1).controller())
                .contains(new Owner.ControllerMatch(
                        Optional.of("apps/v1"),
                        Optional.of("ReplicaSet"),
                        Optional.empty(),
                        Optional.of("web"),
                        Optional.empty()));
        assertThat(owners.get(2).labels().orElseThrow().matches(Labels.of("app", "web")))
                .isFalse();
        assertThat(owners.get(2)
                        .labels()
                        .orElseThrow()
                        .matches(Labels.of("app", "web").with("x", "b")))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ttl | 0s | never",
                "ttl | '0' | never",
                "ttl | 90m | 2026-01-01T01:30:00Z",
                "expires | 2026-01-03T02:00:00+02:00 | 2026-01-03T00:00:00Z"
            })
    void expiresAloneDecidesWhereItIsSet(String field, String value, String end) {
        ObjectNode object = Wire.yaml(USUAL);
        object.withObject("spec").put(field, value);
        assertThat(read(object)
                        .terms()
                        .orElseThrow()
                        .end()
                        .map(Instant::toString)
                        .orElse("never"))
                .isEqualTo(end);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ttl: 1h | ttl: -1h | spec.ttl (-1h) is negative. Maybe 0s, which keeps it until it is deleted",
                "ttl: 1h | ttl: soon | spec.ttl (soon) is no duration such as 15s, 1m30s or 200ms",
                "ttl: 1h | expires: soon | spec.expires (soon) is no time such as 2030-01-31T12:00:00Z",
                "Restricted | Odd | spec.allocatePolicy (Odd) is neither Aligned nor Restricted",
                "500m | 500x | spec.template.spec: cpu: ",
                "500m | -1 | spec.template.spec: containers (main): requests of cpu (-1) is negative",
                "operator: In | operator: Gt | spec.owners[2].labelSelector: operator (Gt) is none of In, NotIn",
                "operator: In | operator: Exists | spec.owners[2].requirement on key (x)",
                "controller: true | controller: false | spec.owners[1].controller.controller (false)",
                "NoSchedule | Never | spec.taints[0].effect (Never) is none of NoSchedule",
                "ttl: 1h | preAllocation: true | spec.preAllocation (true) is not built yet",
                "containers: | others: | spec.template.spec.containers is empty",
                "tier: front | koordinator.sh/priority: high | label koordinator.sh/priority (high) is no whole number"
            })
    void whatMakesNoSenseIsNamed(String good, String bad, String words) {
        Reservation read = read(Wire.yaml(USUAL.replace(good, bad)));
        assertThat(read.terms()).isEmpty();
        assertThat(read.problem()).startsWith(words);
        assertThat(read.schedulerName()).isEqualTo("koord-scheduler");
    }

    @Test
    void aTemplateIsReadThoughTheRestMakesNoSense() {
        assertThat(read(Wire.yaml(USUAL.replace("ttl: 1h", "ttl: 1x"))).template())
                .isEqualTo(read(Wire.yaml(USUAL)).terms().map(Terms::template));
        assertThat(read(Wire.yaml(USUAL.replace("500m", "500x"))).template()).isEmpty();
    }

    @Test
    void aTemplateThatIsNoneDoesNotHideTheStatus() {
        ObjectNode object = Wire.yaml(USUAL);
        object.withObject("spec").put("template", "none");
        object.withObject("status").put("phase", "Available").put("nodeName", "node-1");
        Reservation read = read(object);
        assertThat(read.problem()).startsWith("spec.template.spec is missing");
        assertThat(read.status().available()).isTrue();
    }

    @Test
    void aStatusIsReadBackAsItWasWritten() {
        List<Condition> conditions = List.of(
                new Condition(Condition.Type.SCHEDULED, true, "Scheduled", "", CREATED, CREATED),
                new Condition(Condition.Type.READY, false, "Expired", "its time is over", CREATED, CREATED));
        Status status = new Status(
                Status.Phase.FAILED,
                "node-1",
                amounts("6 cpu", "20Gi memory"),
                amounts("4 cpu", "20Gi memory"),
                List.of(new CurrentOwner("default", "web", "w1")),
                conditions);
        ObjectRequest request = Reservations.say(new ReservationWrite.Say("u1", "demo", "7", status));
        assertThat(request.method()).isEqualTo("PATCH");
        assertThat(request.path()).isEqualTo("/apis/scheduling.koordinator.sh/v1alpha1/reservations/demo/status");
        ObjectNode patch = Wire.yaml(new String(request.body().write(), StandardCharsets.UTF_8));
        assertThat(patch.at("/metadata/uid").asText()).isEqualTo("u1");
        assertThat(patch.at("/metadata/resourceVersion").asText()).isEqualTo("7");
        assertThat(patch.at("/status/allocatable/cpu").asText()).isEqualTo("6");
        assertThat(patch.at("/status/allocated/memory").asText()).isEqualTo("20Gi");
        ObjectNode object = Wire.yaml(USUAL);
        object.set("status", patch.get("status"));
        assertThat(read(object).status()).isEqualTo(status);
    }

    @Test
    void aRemovalIsOfThisVeryReservation() {
        ObjectRequest request = Reservations.remove(new ReservationWrite.Remove("u1", "demo"));
        assertThat(request.method()).isEqualTo("DELETE");
        assertThat(new String(request.body().write(), StandardCharsets.UTF_8)).contains("\"uid\":\"u1\"");
    }

    @ParameterizedTest
    @CsvSource({
        "annotations, reservation-affinity, {}, RESERVATION_AFFINITY",
        "annotations, exact-match-reservation, {}, EXACT_RESERVATION",
        "labels, reservation-ignored, true, RESERVED_ROOM",
        "labels, operating-mode, Reservation, BEING_A_RESERVATION"
    })
    void aPodThatAsksMoreOfReservationsIsKnown(String where, String key, String value, Need need) {
        ObjectNode pod = Wire.yaml("{apiVersion: v1, kind: Pod, metadata: {name: p, uid: p}, spec: {containers: []}}");
        pod.withObject("metadata").withObject(where).put("scheduling.koordinator.sh/" + key, value);
        PodProjection projection = new PodProjection(annotation -> true);
        assertThat(Wire.throughJson(projection, pod)
                        .view()
                        .orElseThrow()
                        .pod()
                        .shape()
                        .needs())
                .containsExactly(need);
    }

    private static Reservation read(ObjectNode object) {
        return Wire.throughJson(new ReservationProjection(), object).view().orElseThrow();
    }
}
