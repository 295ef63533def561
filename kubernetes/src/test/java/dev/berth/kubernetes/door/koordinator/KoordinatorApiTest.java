package dev.berth.kubernetes.door.koordinator;

import static dev.berth.core.testing.Amounts.amounts;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.door.koordinator.CurrentOwner;
import dev.berth.core.door.koordinator.FieldWarnings;
import dev.berth.core.door.koordinator.RemoveAllocatedAnnotation;
import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.door.koordinator.ReservationAllocation;
import dev.berth.core.door.koordinator.ReservationCondition;
import dev.berth.core.door.koordinator.ReservationSpec;
import dev.berth.core.door.koordinator.ReservationStatus;
import dev.berth.core.door.koordinator.ReservationWrite;
import dev.berth.core.door.koordinator.TimedToleration;
import dev.berth.core.door.koordinator.preallocation.AnnotatePod;
import dev.berth.core.door.koordinator.preallocation.PreAllocation;
import dev.berth.core.effect.Effect;
import dev.berth.core.hold.Owner;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.Scenario;
import dev.berth.kubernetes.effects.WriteRequest;
import dev.berth.kubernetes.format.StreamReaders;
import dev.berth.kubernetes.format.WireFormat;
import dev.berth.kubernetes.projection.ReadResult;
import dev.berth.kubernetes.projection.WireObjects;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reservations as people write them, and what is written back. */
class KoordinatorApiTest {
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
        List<ReadResult<Reservation>> readResult = new ArrayList<>();
        new StreamReaders()
                .readObject(
                        WireFormat.JSON,
                        object.getBytes(UTF_8),
                        in -> readResult.add(new ReservationProjection().read(in)));
        Reservation reservation = readResult.get(0).view().orElseThrow();
        assertThat(reservation.problem()).contains("nesting depth");
        assertThat(reservation.uid()).isEqualTo("u");
        assertThat(reservation.schedulerName()).isEqualTo("koord-scheduler");
        assertThat(reservation.status().isAvailable()).isTrue();
        assertThat(reservation.status().nodeName()).isEqualTo("n1");
    }

    @Test
    void allSpecFieldsAreRead() {
        Reservation read = read(WireObjects.yaml(USUAL));
        ReservationSpec reservationSpec = read.spec().orElseThrow();
        assertThat(read.problem()).isEmpty();
        assertThat(read.resourceVersion()).isEqualTo("7");
        assertThat(read.schedulerName()).isEqualTo("koord-scheduler");
        assertThat(read.status()).isEqualTo(ReservationStatus.ABSENT);
        assertThat(reservationSpec.allocateOnce()).isFalse();
        assertThat(reservationSpec.allocation()).isEqualTo(ReservationAllocation.RESTRICTED);
        assertThat(reservationSpec.deadline()).contains(CREATED.plusSeconds(3600));
        assertThat(reservationSpec.taints()).containsExactly(new Taint("team", "a", Taint.TaintEffect.NO_SCHEDULE));
    }

    @Test
    void fieldsOfTheTemplateThatKubernetesDoesNotHaveAreFoundWithTheirPaths() {
        assertThat(read(WireObjects.yaml(USUAL)).fieldWarnings()).isEqualTo(FieldWarnings.NONE);

        String typos = USUAL.replace("nodeName: node-1", "nodeSelectors: {a: b}\n      tolerration: []")
                .replace("resources: {limits: {cpu: 1}}", "resource: {limits: {cpu: 1}}")
                .replace("requests: {cpu: 500m", "request: {cpu: 500m")
                .replace("namespace: shop", "nameSpace: shop");
        Reservation read = read(WireObjects.yaml(typos));
        assertThat(read.problem()).isEmpty();
        assertThat(read.fieldWarnings().unknownFields().first())
                .containsExactly(
                        "spec.template.metadata.nameSpace",
                        "spec.template.spec.nodeSelectors",
                        "spec.template.spec.tolerration",
                        "spec.template.spec.containers[0].resources.request",
                        "spec.template.spec.containers[1].resource");
    }

    @Test
    void anUnknownFieldIsFoundInAMalformedTemplate() {
        Reservation read = read(WireObjects.yaml(USUAL.replace("containers:", "contianers:")));
        assertThat(read.problem()).contains("spec.template.spec.containers is empty");
        assertThat(read.fieldWarnings().unknownFields().first()).containsExactly("spec.template.spec.contianers");
    }

    @Test
    @Scenario(78)
    void theTemplateIsReadAsAPodWouldBe() {
        ReservationSpec.Template template =
                read(WireObjects.yaml(USUAL)).spec().orElseThrow().template();
        assertThat(template.spec().requests())
                .as("a limit without a request is one")
                .isEqualTo(amounts("1500m cpu", "800Mi memory"));
        assertThat(template.spec().hostPorts()).containsExactly(new HostPort("TCP", HostPort.ANY_ADDRESS, 8080));
        assertThat(template.nodeName()).contains("node-1");
        assertThat(template.namespace()).isEqualTo("shop");
        assertThat(template.labels().get("tier"))
                .as("the reservation's own label")
                .contains("front");
        assertThat(template.priority()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    @Scenario(78)
    void theLabelOfAReservationIsThePriorityOfATemplateWithoutOne() {
        ObjectNode object = WireObjects.yaml(USUAL);
        object.withObject("metadata").withObject("labels").put("koordinator.sh/priority", "1000");
        assertThat(read(object).spec().orElseThrow().template().priority()).isEqualTo(1000);
        object.withObject("spec").withObject("template").withObject("spec").put("priority", 7);
        assertThat(read(object).spec().orElseThrow().template().priority()).isEqualTo(7);
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

    @Test
    void tolerationSecondsOfTheTemplateAreRead() {
        String tolerations = """
                nodeName: node-1
                      tolerations:
                      - {key: node.kubernetes.io/not-ready, operator: Exists, effect: NoExecute, tolerationSeconds: 30}
                      - {key: team, value: a, tolerationSeconds: 9223372036854775807}
                      - {key: disk, operator: Exists}
                """.strip();
        ReservationSpec.Template template = read(WireObjects.yaml(USUAL.replace("nodeName: node-1", tolerations)))
                .spec()
                .orElseThrow()
                .template();
        assertThat(template.timedTolerations())
                .containsExactly(
                        new TimedToleration(
                                new Toleration(
                                        "node.kubernetes.io/not-ready",
                                        Toleration.Operator.EXISTS,
                                        "",
                                        Optional.of(Taint.TaintEffect.NO_EXECUTE)),
                                Duration.ofSeconds(30)),
                        new TimedToleration(
                                new Toleration("team", Toleration.Operator.EQUAL, "a", Optional.empty()),
                                Duration.ofDays(365_000)));
        assertThat(template.spec().tolerations()).hasSize(3);
    }

    private static List<HostPort> portsOf(String reservation) {
        return read(WireObjects.yaml(reservation))
                .spec()
                .orElseThrow()
                .template()
                .spec()
                .hostPorts();
    }

    @Test
    void theKindOfAnOwnersObjectIsRead() {
        String named = USUAL.replace("object: {apiVersion: v1,", "object: {apiVersion: apps/v1, kind: StatefulSet,");

        assertThat(read(WireObjects.yaml(named))
                        .spec()
                        .orElseThrow()
                        .owners()
                        .get(0)
                        .pod()
                        .orElseThrow()
                        .kind())
                .contains("StatefulSet");
    }

    @Test
    void emptyFieldsOfOwnersMatchAnything() {
        List<Owner> owners = read(WireObjects.yaml(USUAL)).spec().orElseThrow().owners();
        assertThat(owners.get(0).pod())
                .contains(new Owner.PodMatch(Optional.empty(), Optional.of("default"), Optional.of("pod-demo-0")));
        assertThat(owners.get(1).controller())
                .contains(new Owner.ControllerMatch(
                        Optional.of("apps/v1"),
                        Optional.of("ReplicaSet"),
                        Optional.empty(),
                        Optional.of("web"),
                        Optional.empty(),
                        Optional.of(true)));
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
    @Scenario({146, 147})
    void expiresAloneDecidesWhereItIsSet(String field, String value, String end) {
        ObjectNode object = WireObjects.yaml(USUAL);
        object.withObject("spec").put(field, value);
        assertThat(read(object)
                        .spec()
                        .orElseThrow()
                        .deadline()
                        .map(Instant::toString)
                        .orElse("never"))
                .isEqualTo(end);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ttl: 1h | ttl: -1h | spec.ttl (-1h) must not be negative. Maybe 0s: the Reservation then never expires",
                "ttl: 1h | ttl: soon | spec.ttl (soon) must be a duration such as 15s, 1m30s or 200ms",
                "ttl: 1h | expires: soon | spec.expires (soon) must be a time such as 2030-01-31T12:00:00Z",
                "Restricted | Odd | spec.allocatePolicy (Odd) must be Aligned or Restricted",
                "500m | 500x | spec.template.spec: cpu: ",
                "500m | -1 | spec.template.spec: containers (main): requests of cpu (-1) is negative",
                "operator: In | operator: Gt | spec.owners[2].labelSelector: operator (Gt) must be In, NotIn",
                "operator: In | operator: Exists | spec.owners[2].labelSelector: operator (Exists) of key (x) must have no values",
                "NoSchedule | Never | spec.taints[0].effect (Never) must be NoSchedule",
                "containers: | others: | spec.template.spec.containers is empty",
                "tier: front | koordinator.sh/priority: high | label koordinator.sh/priority (high) must be a whole number",
                "nodeName: node-1 | priority: 99999999999 | spec.template.spec.priority (99999999999) must be a whole number from -2147483648 to 2147483647",
                "nodeName: node-1 | priority: high | spec.template.spec: malformed JSON at /spec/priority: found a string"
            })
    void malformedSpecsAreReportedWithTheField(String good, String bad, String words) {
        Reservation read = read(WireObjects.yaml(USUAL.replace(good, bad)));
        assertThat(read.spec()).isEmpty();
        assertThat(read.problem()).startsWith(words);
        assertThat(read.schedulerName()).isEqualTo("koord-scheduler");
    }

    @Test
    void preAllocationIsReadWithItsPolicyAndLabel() {
        assertThat(readPreAllocation("preAllocation: false", "tier: front")).isEmpty();
        assertThat(readPreAllocation("preAllocation: true", "tier: front"))
                .contains(new PreAllocation(PreAllocation.Mode.DEFAULT, false, false));
        assertThat(readPreAllocation(
                        "preAllocation: true\n  preAllocationPolicy: {mode: Cluster, enableMultiple: true}",
                        "scheduling.koordinator.sh/pre-allocation-required: 'true'"))
                .contains(new PreAllocation(PreAllocation.Mode.CLUSTER, true, true));
        assertThat(readPreAllocation(
                        "preAllocation: false", "scheduling.koordinator.sh/pre-allocation-required: 'true'"))
                .isEmpty();
    }

    private static Optional<PreAllocation> readPreAllocation(String field, String label) {
        return read(WireObjects.yaml(USUAL.replace("ttl: 1h", field).replace("tier: front", label)))
                .spec()
                .orElseThrow()
                .preAllocation();
    }

    @Test
    void unknownModeOfPreAllocationIsReported() {
        String field = "preAllocation: true\n  preAllocationPolicy: {mode: All}";
        assertThat(read(WireObjects.yaml(USUAL.replace("ttl: 1h", field))).problem())
                .isEqualTo("spec.preAllocationPolicy.mode (All) must be Default or Cluster");
    }

    @Test
    void aPodIsAnnotatedByItsStatusWithItsUidAsPrecondition() {
        WriteRequest request = KoordinatorApi.encodeAnnotation(new AnnotatePod(
                new Effect.PodRef("shop", "web", new PodUid("p1"), "any"), "{\"name\":\"demo\",\"uid\":\"u1\"}"));

        assertThat(request.path()).isEqualTo("/api/v1/namespaces/shop/pods/web/status");
        assertThat(request.body().text("metadata", "uid")).isEqualTo("p1");
        assertThat(request.body().text("metadata", "annotations", "scheduling.koordinator.sh/reservation-allocated"))
                .isEqualTo("{\"name\":\"demo\",\"uid\":\"u1\"}");
    }

    @Test
    void theTemplateOfAMalformedSpecIsRead() {
        assertThat(read(WireObjects.yaml(USUAL.replace("ttl: 1h", "ttl: 1x"))).template())
                .isEqualTo(read(WireObjects.yaml(USUAL)).spec().map(ReservationSpec::template));
        assertThat(read(WireObjects.yaml(USUAL.replace("500m", "500x"))).template())
                .isEmpty();
    }

    @Test
    void theStatusIsReadEvenIfTheTemplateIsNotAnObject() {
        ObjectNode object = WireObjects.yaml(USUAL);
        object.withObject("spec").put("template", "none");
        object.withObject("status").put("phase", "Available").put("nodeName", "node-1");
        Reservation read = read(object);
        assertThat(read.problem()).startsWith("spec.template.spec is missing");
        assertThat(read.status().isAvailable()).isTrue();
    }

    @Test
    void aStatusIsReadBackAsItWasWritten() {
        List<ReservationCondition> conditions = List.of(
                new ReservationCondition(ReservationCondition.Type.SCHEDULED, true, "Scheduled", "", CREATED, CREATED),
                new ReservationCondition(
                        ReservationCondition.Type.READY, false, "Expired", "it has expired", CREATED, CREATED));
        ReservationStatus status = new ReservationStatus(
                ReservationStatus.ReservationPhase.FAILED,
                "node-1",
                amounts("6 cpu", "20Gi memory"),
                amounts("4 cpu", "20Gi memory"),
                List.of(new CurrentOwner("default", "web", "w1")),
                conditions);
        WriteRequest request = KoordinatorApi.encodeStatusUpdate(
                new ReservationWrite.UpdateStatus("u1", "demo", "7", status, "never", Set.of()));
        assertThat(request.method()).isEqualTo("PATCH");
        assertThat(request.path()).isEqualTo("/apis/scheduling.koordinator.sh/v1alpha1/reservations/demo/status");
        ObjectNode patch = WireObjects.yaml(new String(request.body().toBytes(), StandardCharsets.UTF_8));
        assertThat(patch.at("/metadata/uid").asText()).isEqualTo("u1");
        assertThat(patch.at("/metadata/resourceVersion").asText()).isEqualTo("7");
        assertThat(patch.at("/status/allocatable/cpu").asText()).isEqualTo("6");
        assertThat(patch.at("/status/allocated/memory").asText()).isEqualTo("20Gi");
        ObjectNode object = WireObjects.yaml(USUAL);
        object.set("status", patch.get("status"));
        assertThat(read(object).status()).isEqualTo(status);
        assertThat(read(object).shownUntil()).isEqualTo("never");
        assertThat(patch.at("/status/berth"))
                .isEqualTo(
                        WireObjects.yaml(
                                "{until: never, size: '6 cpu, 20Gi memory', used: '4 cpu, 20Gi memory', owners: default/web, reason: Expired}"));
    }

    @Test
    void anUnusedReservationShowsZeroAndADeletedNodeIsTheReasonOfItsEnd() {
        ReservationStatus unused = new ReservationStatus(
                ReservationStatus.ReservationPhase.FAILED,
                "node-1",
                amounts("6 cpu"),
                Resources.NONE,
                List.of(),
                List.of(new ReservationCondition(
                        ReservationCondition.Type.READY,
                        false,
                        "Expired",
                        "node (node-1) was deleted",
                        Instant.EPOCH,
                        Instant.EPOCH)));
        assertThat(ReservationColumns.of(unused, "never"))
                .containsEntry("used", "0 cpu")
                .containsEntry("reason", "NodeDeleted");
    }

    @Test
    void manyOwnersAndResourcesAreCountedInTheColumns() {
        ReservationStatus status = new ReservationStatus(
                ReservationStatus.ReservationPhase.AVAILABLE,
                "node-1",
                amounts("1 a.com/a", "1 a.com/b", "1 a.com/c", "1 a.com/d", "1 a.com/e"),
                amounts("1 a.com/a"),
                Stream.of("a", "b", "c", "d", "e")
                        .map(name -> new CurrentOwner("default", name, name))
                        .toList(),
                List.of());
        assertThat(ReservationColumns.of(status, "never"))
                .containsEntry("size", "1 a.com/a, 1 a.com/b, 1 a.com/c, 1 a.com/d + 1 more...")
                .containsEntry("owners", "default/a, default/b, default/c + 2 more...")
                .containsEntry("reason", "");
    }

    private static ReservationStatus nominated(String node) {
        return new ReservationStatus(
                ReservationStatus.ReservationPhase.PENDING,
                "",
                Resources.NONE,
                Resources.NONE,
                List.of(),
                node.isEmpty() ? List.of() : List.of(ReservationCondition.nominatedNode(node, CREATED)));
    }

    private static ObjectNode patchOf(ReservationStatus status) {
        WriteRequest request = KoordinatorApi.encodeStatusUpdate(
                new ReservationWrite.UpdateStatus("u1", "demo", "7", status, "", Set.of()));
        return WireObjects.yaml(new String(request.body().toBytes(), StandardCharsets.UTF_8));
    }

    @Test
    void theOwnersOfATemplateWithoutRequestsAreWrittenAndRemoved() {
        CurrentOwner owner = new CurrentOwner("default", "web", "w1");
        assertThat(patchOf(withoutAmounts(owner))
                        .at("/status/currentOwners/0/name")
                        .asText())
                .isEqualTo("web");
        assertThat(patchOf(withoutAmounts()).at("/status/currentOwners").isNull())
                .isTrue();
    }

    private static ReservationStatus withoutAmounts(CurrentOwner... owners) {
        return new ReservationStatus(
                ReservationStatus.ReservationPhase.AVAILABLE,
                "node-1",
                Resources.NONE,
                Resources.NONE,
                List.of(owners),
                List.of());
    }

    @Test
    void aNominatedNodeIsAFieldAndACondition() {
        ObjectNode patch = patchOf(nominated("node-1"));
        assertThat(patch.at("/status/nominatedNodeName").asText()).isEqualTo("node-1");
        assertThat(patchOf(nominated("")).at("/status/nominatedNodeName").isNull())
                .as("a merge patch removes the field by null")
                .isTrue();

        ObjectNode object = WireObjects.yaml(USUAL);
        object.set("status", patch.get("status"));
        assertThat(read(object).status()).isEqualTo(nominated("node-1"));
    }

    @Test
    void aNominatedNodeIsReadWithoutTheFieldThatKoordinatorsSchemaDoesNotHave() {
        ObjectNode object = WireObjects.yaml(USUAL);
        ObjectNode status = (ObjectNode) patchOf(nominated("node-1")).get("status");
        status.remove("nominatedNodeName");
        object.set("status", status);
        assertThat(read(object).status().nominatedNode()).isEqualTo("node-1");

        object.set("status", WireObjects.yaml("{phase: Pending, nominatedNodeName: node-2}"));
        assertThat(read(object).status().nominatedNode())
                .as("as another scheduler may write it")
                .isEqualTo("node-2");
    }

    @Test
    void theTemplateSaysWhetherItMayPreempt() {
        assertThat(template(USUAL).mayPreempt()).isTrue();
        assertThat(template(USUAL.replace("nodeName: node-1", "nodeName: node-1\n      preemptionPolicy: Never"))
                        .mayPreempt())
                .isFalse();
    }

    @Test
    void theTemplateHasItsClaimsAndTheStorageClassesOfItsEphemeralVolumes() {
        assertThat(template(USUAL).volumes()).isEqualTo(PodVolumes.NONE);
        ReservationSpec.Template template = template(USUAL.replace("nodeName: node-1", """
                nodeName: node-1
                      volumes:
                      - {name: config, configMap: {name: settings}}
                      - {name: data, persistentVolumeClaim: {claimName: data-0}}
                      - name: scratch
                        ephemeral: {volumeClaimTemplate: {metadata: {labels: {a: b}}, spec: {storageClassName: fast}}}
                      - {name: other, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce]}}}}
                """.strip()));
        assertThat(template.volumes())
                .isEqualTo(new PodVolumes(
                        List.of(new PodVolumes.PersistentVolumeClaimRef("data-0", false)), List.of(), List.of("fast")));
        assertThat(template.spec().unsupportedFeatures()).isEmpty();
    }

    private static ReservationSpec.Template template(String yaml) {
        return read(WireObjects.yaml(yaml)).spec().orElseThrow().template();
    }

    @Test
    void aResourceThatTheStatusHasNoMoreIsRemovedByTheWrite() {
        ReservationStatus status = new ReservationStatus(
                ReservationStatus.ReservationPhase.AVAILABLE,
                "node-1",
                amounts("6 cpu"),
                amounts("4 cpu"),
                List.of(),
                List.of());
        WriteRequest request = KoordinatorApi.encodeStatusUpdate(
                new ReservationWrite.UpdateStatus("u1", "demo", "7", status, "never", Set.of(ResourceName.MEMORY)));
        ObjectNode patch = WireObjects.yaml(new String(request.body().toBytes(), StandardCharsets.UTF_8));
        assertThat(patch.at("/status/allocatable/memory").isNull()).isTrue();
        assertThat(patch.at("/status/allocated/memory").isNull()).isTrue();
        assertThat(patch.at("/status/allocatable/cpu").asText()).isEqualTo("6");
    }

    @Test
    @Scenario(81)
    void theResizeAnnotationOverridesAndAddsRequests() {
        Resources requested = read(annotated("{\"resources\":{\"cpu\":\"4\",\"example.com/gpu\":\"2\"}}"))
                .spec()
                .orElseThrow()
                .template()
                .spec()
                .requests();
        assertThat(requested).isEqualTo(amounts("4 cpu", "800Mi memory", "2 example.com/gpu"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | ",
                "{\"resources\":{\"cpu\":\"-1\"}} | the amount of cpu (-1) is negative",
                "{\"resources\":{\"cpu\":\"four\"}} | four",
                "{\"resources\":4} | resources is not an object",
                "cpu=4 | malformed JSON"
            })
    void aMalformedResizeAnnotationIsReported(String value, String problem) {
        String found = read(annotated(value)).problem();
        if (problem == null) {
            assertThat(found).isEmpty();
        } else {
            assertThat(found)
                    .startsWith("annotation scheduling.koordinator.sh/reservation-resize-allocatable")
                    .contains(problem)
                    .endsWith("The correct form is {\"resources\":{\"cpu\":\"4\"}}");
        }
    }

    @Test
    void aRequestAboveItsLimitIsReportedAndHeld() {
        ObjectNode object = WireObjects.yaml(USUAL);
        ((ObjectNode) object.at("/spec/template/spec/containers/0/resources"))
                .withObject("limits")
                .put("cpu", "100m");
        Reservation read = read(object);
        assertThat(read.spec()).isPresent();
        assertThat(read.fieldWarnings().others())
                .containsExactly(new FieldWarnings.FieldWarning(
                        "RequestsExceedLimits",
                        "spec.template.spec.containers[0].resources.requests: Invalid value: \"500m\": must be less than or"
                                + " equal to cpu limit of 100m. The Reservation holds the request"));
    }

    @Test
    void aPreAllocationPolicyWithoutPreAllocationIsReported() {
        ObjectNode object = WireObjects.yaml(USUAL);
        object.withObject("spec").withObject("preAllocationPolicy").put("mode", "Cluster");
        assertThat(read(object).fieldWarnings().others())
                .containsExactly(new FieldWarnings.FieldWarning(
                        "PreAllocationDisabled",
                        "spec.preAllocationPolicy has no effect, because spec.preAllocation is not true."
                                + " Set spec.preAllocation, or remove the policy"));
        object.withObject("spec").put("preAllocation", true);
        assertThat(read(object).fieldWarnings()).isEqualTo(FieldWarnings.NONE);
    }

    @Test
    void theTemplateIsReadWithoutAMalformedResizeAnnotationAndItsSizeIsUnknown() {
        assertThat(read(annotated("{")).template().orElseThrow().sizeKnown()).isFalse();
        assertThat(read(annotated("{}")).template().orElseThrow().sizeKnown()).isTrue();
    }

    @Test
    void aResizeAnnotationWithUnknownKeysAloneIsMalformedAndBesideOthersTheyAreReported() {
        assertThat(read(annotated("{\"resource\":{\"cpu\":\"4\"}}")).problem())
                .isEqualTo("annotation scheduling.koordinator.sh/reservation-resize-allocatable"
                        + " ({\"resource\":{\"cpu\":\"4\"}}) is invalid: key resource is unknown,"
                        + " the known keys there are resources");
        Reservation read = read(annotated("{\"resources\":{\"cpu\":\"4\"},\"resource\":{}}"));
        assertThat(read.template().orElseThrow().spec().requests().get(ResourceName.CPU))
                .isEqualTo(4000);
        assertThat(read.fieldWarnings().others())
                .containsExactly(FieldWarnings.FieldWarning.ofUnknownKeys(
                        "Berth ignores keys of the annotation scheduling.koordinator.sh/reservation-resize-allocatable"
                                + " that are unknown: resource. The known keys are resources"));
    }

    private static ObjectNode annotated(String value) {
        ObjectNode object = WireObjects.yaml(USUAL);
        object.withObject("metadata")
                .withObject("annotations")
                .put("scheduling.koordinator.sh/reservation-resize-allocatable", value);
        return object;
    }

    @Test
    void theAnnotationOfAnEndedReservationIsRemovedWithTheUidOfThePodAsPrecondition() {
        WriteRequest request = KoordinatorApi.encodeAnnotationRemoval(
                new RemoveAllocatedAnnotation(new Effect.PodRef("shop", "web", new PodUid("w1"), "koord-scheduler")));
        assertThat(request.path()).isEqualTo("/api/v1/namespaces/shop/pods/web/status");
        assertThat(new String(request.body().toBytes(), StandardCharsets.UTF_8))
                .isEqualTo(
                        "{\"metadata\":{\"uid\":\"w1\",\"annotations\":{\"scheduling.koordinator.sh/reservation-allocated\":null}}}");
    }

    @Test
    void aDeleteHasTheUidAsPrecondition() {
        WriteRequest request = KoordinatorApi.encodeDelete(new ReservationWrite.Delete("u1", "demo"));
        assertThat(request.method()).isEqualTo("DELETE");
        assertThat(new String(request.body().toBytes(), StandardCharsets.UTF_8)).contains("\"uid\":\"u1\"");
    }

    private static Reservation read(ObjectNode object) {
        return WireObjects.readFromJson(new ReservationProjection(), object)
                .view()
                .orElseThrow();
    }
}
