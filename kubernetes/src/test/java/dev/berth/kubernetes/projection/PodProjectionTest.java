package dev.berth.kubernetes.projection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.cluster.PodVolumes.Disk;
import dev.berth.core.cluster.PodVolumes.DiskKind;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.cluster.UnsupportedFeature;
import dev.berth.core.resource.ResourceName;
import dev.berth.kubernetes.format.WireFormat;
import dev.berth.kubernetes.protobuf.ProtoWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PodProjectionTest {
    private final PodProjection projection = new PodProjection(key -> key.startsWith("berth.dev/"));

    @Test
    void podMetadataAndSpecAreRead() {
        Pod pod = pod("""
                metadata:
                  name: web-0
                  namespace: shop
                  uid: u-1
                  resourceVersion: "7"
                  creationTimestamp: 2026-01-02T03:04:05Z
                  deletionTimestamp: 2026-01-02T03:05:05Z
                  deletionGracePeriodSeconds: 30
                  labels: {app: web}
                  annotations: {berth.dev/hold: h1, other: ignored}
                  ownerReferences:
                  - {apiVersion: v1, kind: Other, name: o, uid: o1}
                  - {apiVersion: apps/v1, kind: StatefulSet, name: web, uid: s1, controller: true}
                spec:
                  schedulerName: berth-scheduler
                  nodeName: node-1
                  priority: -7
                  schedulingGates: [{name: wait}]
                status: {phase: Running}
                """);
        assertThat(pod.uid().value()).isEqualTo("u-1");
        assertThat(pod).hasToString("shop/web-0");
        assertThat(pod.created()).isEqualTo(Instant.parse("2026-01-02T03:04:05Z"));
        assertThat(pod.terminating()).isTrue();
        assertThat(pod.deletionTimestamp()).contains(Instant.parse("2026-01-02T03:05:05Z"));
        assertThat(pod.deletionRequestedAt()).contains(Instant.parse("2026-01-02T03:04:35Z"));
        assertThat(pod.labels()).isEqualTo(Labels.of("app", "web"));
        assertThat(pod.annotations()).isEqualTo(Labels.of("berth.dev/hold", "h1"));
        assertThat(pod.controller()).contains(new ControllerRef("apps/v1", "StatefulSet", "web", "s1"));
        assertThat(pod.otherOwners()).containsExactly(new ControllerRef("v1", "Other", "o", "o1"));
        assertThat(pod.schedulerName()).isEqualTo("berth-scheduler");
        assertThat(pod.nodeName()).contains("node-1");
        assertThat(pod.priority()).isEqualTo(-7);
        assertThat(pod.schedulingGates()).containsExactly("wait");
        assertThat(pod.phase()).isEqualTo(PodPhase.RUNNING);
    }

    @Test
    void requestsAreThoseOfAllContainersTogether() {
        Pod pod = pod("""
                metadata: {name: p, uid: u}
                spec:
                  overhead: {cpu: 10m}
                  initContainers:
                  - {name: side, restartPolicy: Always, resources: {requests: {cpu: 100m}}}
                  - {name: first, resources: {requests: {cpu: "3", example.com/gpu: 1}}}
                  containers:
                  - {name: a, resources: {requests: {cpu: 500m, memory: 1Gi}, limits: {cpu: 9}}}
                  - {name: b, resources: {requests: {cpu: 250m}}}
                """);
        assertThat(pod.spec().requests().toMap())
                .isEqualTo(Map.of(
                        ResourceName.CPU,
                        3110L,
                        ResourceName.MEMORY,
                        1L << 30,
                        new ResourceName("example.com/gpu"),
                        1L));
    }

    @Test
    void aResizeInProgressCountsTheGreaterOfBothRequests() {
        Pod pod = pod("""
                metadata: {name: p, uid: u}
                spec: {nodeName: n, containers: [{name: a, resources: {requests: {cpu: 500m}}}]}
                status:
                  containerStatuses:
                  - {name: a, allocatedResources: {cpu: 800m}, resources: {requests: {cpu: 700m}}}
                """);
        assertThat(pod.spec().requests().get(ResourceName.CPU)).isEqualTo(800);
    }

    @Test
    void hostPortsAreThoseOfContainersAndSidecars() {
        Pod pod = pod("""
                metadata: {name: p, uid: u}
                spec:
                  initContainers:
                  - {name: side, restartPolicy: Always, ports: [{containerPort: 1, hostPort: 81, protocol: UDP}]}
                  - {name: once, ports: [{containerPort: 1, hostPort: 82}]}
                  containers:
                  - {name: a, ports: [{containerPort: 1, hostPort: 80, hostIP: 10.0.0.1}, {containerPort: 2}]}
                """);
        assertThat(pod.spec().hostPorts())
                .containsExactly(new HostPort("TCP", "10.0.0.1", 80), new HostPort("UDP", "", 81));
    }

    @Test
    void imageVolumesGetADefaultTag() {
        Pod pod = pod("""
                metadata: {name: p, uid: u}
                spec:
                  containers: [{name: a, image: nginx}]
                  volumes: [{name: v, image: {reference: "registry:5000/model", pullPolicy: Always}}, {name: w, emptyDir: {}}]
                """);
        assertThat(pod.spec().images()).containsExactly("nginx:latest");
        assertThat(pod.spec().mountedImages()).containsExactly("registry:5000/model:latest");
    }

    @Test
    void imagesGetADefaultTag() {
        Pod pod = pod("""
                metadata: {name: p, uid: u}
                spec:
                  initContainers: [{name: i, image: "registry:5000/init"}]
                  containers: [{name: a, image: nginx}, {name: b, image: "nginx:1.2"}, {name: c, image: "a/b@sha256:0"}]
                """);
        assertThat(pod.spec().images())
                .containsExactly("registry:5000/init:latest", "nginx:latest", "nginx:1.2", "a/b@sha256:0");
    }

    @Test
    void nodesAreChosenBySelectorTermsAndTolerations() {
        Pod pod = pod("""
                metadata: {name: p, uid: u}
                spec:
                  nodeSelector: {disk: ssd}
                  affinity:
                    nodeAffinity:
                      requiredDuringSchedulingIgnoredDuringExecution:
                        nodeSelectorTerms:
                        - matchExpressions: [{key: zone, operator: In, values: [a, b]}]
                          matchFields: [{key: metadata.name, operator: NotIn, values: [n1]}]
                      preferredDuringSchedulingIgnoredDuringExecution:
                      - {weight: 5, preference: {matchExpressions: [{key: cores, operator: Gt, values: ["4"]}]}}
                  tolerations:
                  - {key: k, value: v, effect: NoSchedule}
                  - {operator: Exists}
                  - {key: n, operator: Gt, value: "5"}
                """);
        assertThat(pod.spec().nodeAffinity().selector()).isEqualTo(Labels.of("disk", "ssd"));
        assertThat(pod.spec().nodeAffinity().required())
                .contains(List.of(new NodeSelectorTerm(
                        List.of(new Requirement("zone", Requirement.Operator.IN, List.of("a", "b"))),
                        List.of(new Requirement("metadata.name", Requirement.Operator.NOT_IN, List.of("n1"))))));
        assertThat(pod.spec().nodeAffinity().preferred()).hasSize(1);
        assertThat(pod.spec().tolerations())
                .containsExactly(
                        new Toleration("k", Toleration.Operator.EQUAL, "v", Optional.of(Taint.TaintEffect.NO_SCHEDULE)),
                        new Toleration("", Toleration.Operator.EXISTS, "", Optional.empty()));
    }

    @Test
    void unsupportedFeaturesAreRecorded() {
        assertThat(needs("resourceClaims: [{name: r}]")).containsExactly(UnsupportedFeature.RESOURCE_CLAIMS);
        assertThat(needs("schedulingGroup: {podGroupName: g}")).containsExactly(UnsupportedFeature.SCHEDULING_GROUP);
    }

    /** The schemas of the tests are of 1.36, which has it no more. */
    @Test
    void theWorkloadRefOfKubernetes135IsRecordedAsUnsupported() {
        ObjectNode json =
                WireObjects.yaml("{metadata: {name: p, uid: u}, spec: {workloadRef: {name: w, podGroup: g}}}");
        byte[] protobuf = ProtoWriter.object(
                "v1",
                "Pod",
                pod -> pod.message(1, meta -> meta.text(1, "p").text(5, "u"))
                        .message(
                                2,
                                spec -> spec.message(
                                        42, group -> group.text(1, "w").text(2, "g"))));

        assertThat(Stream.of(
                        WireObjects.readFromJson(projection, json),
                        WireObjects.read(projection, WireFormat.PROTOBUF, protobuf)))
                .extracting(readResult ->
                        readResult.view().orElseThrow().pod().spec().unsupportedFeatures())
                .containsOnly(Set.of(UnsupportedFeature.WORKLOAD_REF));
    }

    @Test
    void volumesThatBindToNoNodeAreIgnored() {
        assertThat(volumes("[{name: v, emptyDir: {}}, {name: w, configMap: {name: c}}, {name: x, csi: {}}]"))
                .isSameAs(PodVolumes.NONE);
    }

    @Test
    void claimsAndDisksAreReadInSpecOrder() {
        PodVolumes volumes = volumes("""
                [{name: a, persistentVolumeClaim: {claimName: data, readOnly: true}},
                 {name: scratch, ephemeral: {volumeClaimTemplate: {spec: {accessModes: [ReadWriteOnce]}}}},
                 {name: b, persistentVolumeClaim: {claimName: logs}},
                 {name: c, gcePersistentDisk: {pdName: pd, readOnly: true}},
                 {name: d, awsElasticBlockStore: {volumeID: vol-1}},
                 {name: e, iscsi: {targetPortal: x, iqn: iqn-1, lun: 0, readOnly: true}},
                 {name: f, rbd: {monitors: [m1, m2], image: i, pool: p}},
                 {name: g, cinder: {volumeID: c-1}},
                 {name: h, azureDisk: {diskName: n, diskURI: uri}},
                 {name: i, portworxVolume: {volumeID: px}}]
                """.strip().replace("\n", ""));
        assertThat(volumes.persistentVolumeClaims())
                .containsExactly(
                        new PodVolumes.PersistentVolumeClaimRef("data", false),
                        new PodVolumes.PersistentVolumeClaimRef("p-scratch", true),
                        new PodVolumes.PersistentVolumeClaimRef("logs", false));
        assertThat(volumes.disks())
                .containsExactly(
                        new Disk(DiskKind.GCE_PD, "pd", List.of(), true),
                        new Disk(DiskKind.AWS_EBS, "vol-1", List.of(), false),
                        new Disk(DiskKind.ISCSI, "iqn-1", List.of(), true),
                        new Disk(DiskKind.RBD, "p/i", List.of("m1", "m2"), false),
                        new Disk(DiskKind.CINDER, "c-1", List.of(), false),
                        new Disk(DiskKind.AZURE_DISK, "uri", List.of(), false),
                        new Disk(DiskKind.PORTWORX, "px", List.of(), false));
    }

    @Test
    void podAffinityTermsAreReadWithTheirNamespaces() {
        Pod pod = pod("""
                metadata: {name: p, uid: u}
                spec:
                  affinity:
                    podAffinity:
                      requiredDuringSchedulingIgnoredDuringExecution:
                      - {topologyKey: zone, labelSelector: {matchLabels: {app: db}}, namespaces: [b, a]}
                      preferredDuringSchedulingIgnoredDuringExecution:
                      - {weight: 7, podAffinityTerm: {topologyKey: host, labelSelector: {}}}
                    podAntiAffinity:
                      requiredDuringSchedulingIgnoredDuringExecution:
                      - {topologyKey: host, namespaceSelector: {matchLabels: {team: x}}}
                      preferredDuringSchedulingIgnoredDuringExecution:
                      - weight: 9
                        podAffinityTerm:
                          topologyKey: zone
                          namespaceSelector: {}
                          labelSelector: {matchExpressions: [{key: app, operator: Exists}]}
                """);
        LabelSelector db = LabelSelector.of(Labels.of("app", "db"));
        LabelSelector anyApp =
                new LabelSelector(Labels.NONE, List.of(new Requirement("app", Requirement.Operator.EXISTS, List.of())));
        LabelSelector teamX = LabelSelector.of(Labels.of("team", "x"));
        PodAffinityTerm everywhere =
                new PodAffinityTerm("zone", Optional.of(anyApp), List.of(), Optional.of(LabelSelector.EVERYTHING));
        assertThat(pod.spec().podAffinity())
                .isEqualTo(new PodAffinity(
                        List.of(new PodAffinityTerm("zone", Optional.of(db), List.of("a", "b"), Optional.empty())),
                        List.of(new PodAffinityTerm("host", Optional.empty(), List.of(), Optional.of(teamX))),
                        List.of(
                                new PodAffinity.WeightedPodAffinityTerm(
                                        7, PodAffinityTerm.of("host", LabelSelector.EVERYTHING)),
                                new PodAffinity.WeightedPodAffinityTerm(-9, everywhere))));
    }

    @Test
    void spreadConstraintsAreReadWithAllTheirFields() {
        Pod pod = pod("""
                metadata: {name: p, uid: u}
                spec:
                  topologySpreadConstraints:
                  - {maxSkew: 2, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, labelSelector: {}}
                  - maxSkew: 1
                    topologyKey: host
                    whenUnsatisfiable: DoNotSchedule
                    minDomains: 3
                    nodeAffinityPolicy: Ignore
                    nodeTaintsPolicy: Honor
                    matchLabelKeys: [pod-template-hash]
                """);
        Optional<LabelSelector> everything = Optional.of(LabelSelector.EVERYTHING);
        assertThat(pod.spec().topologySpreadConstraints())
                .containsExactly(
                        new TopologySpreadConstraint(
                                "zone",
                                everything,
                                false,
                                2,
                                1,
                                new TopologySpreadConstraint.NodeInclusionPolicy(true, false),
                                List.of()),
                        new TopologySpreadConstraint(
                                "host",
                                Optional.empty(),
                                true,
                                1,
                                3,
                                new TopologySpreadConstraint.NodeInclusionPolicy(false, true),
                                List.of("pod-template-hash")));
    }

    @Test
    void requiredNodeFeaturesAreInferredFromTheSpec() {
        assertThat(features("hostNetwork: true, hostUsers: false")).containsExactly("UserNamespacesHostNetworkSupport");
        assertThat(features("hostNetwork: true, hostUsers: true")).isEmpty();
        assertThat(features("hostUsers: false")).isEmpty();
        assertThat(features("initContainers: [{name: a, restartPolicyRules: [{action: RestartAllContainers}]}]"))
                .containsExactly("RestartAllContainersOnContainerExits");
        assertThat(features("containers: [{name: a, restartPolicyRules: [{action: Restart}]}]"))
                .isEmpty();
    }

    private List<String> features(String spec) {
        return pod("{metadata: {name: p, uid: u}, spec: {%s}}".formatted(spec))
                .spec()
                .requiredFeatures();
    }

    @Test
    void thePodScheduledFalseConditionIsRead() {
        ObservedPod observed = seen("""
                        metadata: {name: p, uid: u, generation: 3}
                        status:
                          conditions:
                          - type: PodScheduled
                            status: "False"
                            reason: Unschedulable
                            message: no room
                            lastTransitionTime: 1970-01-01T00:00:09Z
                        """).view().orElseThrow();
        assertThat(observed.generation()).isEqualTo(3);
        assertThat(observed.unscheduledCondition())
                .contains(new ObservedPod.UnscheduledCondition("Unschedulable", "no room", 9_000));
    }

    @Test
    void podsOfOneTemplateShareShapeAndLabels() {
        String template = """
                metadata: {name: p-%d, uid: u-%1$d, labels: {app: web, hash: abc}}
                spec:
                  containers: [{name: a, image: nginx, resources: {requests: {cpu: 1}}}]
                  tolerations: [{key: k, operator: Exists}]
                """;
        Pod first = pod(template.formatted(1));
        Pod second = pod(template.formatted(2));
        assertThat(second.spec()).isSameAs(first.spec());
        assertThat(second.labels()).isSameAs(first.labels());
    }

    @Test
    void aMalformedPodIsReportedAndTheNextIsRead() {
        ReadResult<ObservedPod> bad = WireObjects.readFromJson(projection, WireObjects.yaml("""
                        metadata: {name: p, namespace: n, uid: u, resourceVersion: "5"}
                        spec: {containers: [{name: a, resources: {requests: {cpu: lots}}}]}
                        """));
        assertThat(bad.view()).isEmpty();
        assertThat(bad.resourceVersion()).isEqualTo("5");
        assertThat(bad.problem()).startsWith("pod (n/p): cpu: quantity (lots) is malformed");
        assertThat(seen("metadata: {name: q, uid: v}").problem()).isEmpty();
        assertThat(WireObjects.readFromJson(projection, WireObjects.yaml("metadata: {name: q}"))
                        .problem())
                .contains("pod uid () is blank");
        assertThat(WireObjects.readFromJson(
                                projection,
                                WireObjects.yaml(
                                        "{metadata: {name: q, uid: w}, spec: {tolerations: [{key: k, effect: Maybe}]}}"))
                        .problem())
                .contains("effect (Maybe) must be NoSchedule");
    }

    /** The same from both languages. */
    private PodVolumes volumes(String list) {
        String pod = "{apiVersion: v1, kind: Pod, metadata: {name: p, uid: u}, spec: {volumes: %s}}".formatted(list);
        PodVolumes read = pod(pod).volumes();
        assertThat(WireObjects.readFromJson(projection, WireObjects.yaml(pod))
                        .view()
                        .orElseThrow()
                        .pod()
                        .volumes())
                .isEqualTo(read);
        return read;
    }

    private Set<UnsupportedFeature> needs(String spec) {
        return pod("{metadata: {name: p, uid: u}, spec: {%s}}".formatted(spec))
                .spec()
                .unsupportedFeatures();
    }

    private Pod pod(String yaml) {
        ReadResult<ObservedPod> readResult = seen(yaml);
        assertThat(readResult.problem()).isEmpty();
        return readResult.view().orElseThrow().pod();
    }

    private ReadResult<ObservedPod> seen(String yaml) {
        return WireObjects.readFromProtobuf(
                projection, WireObjects.yaml(yaml).put("apiVersion", "v1").put("kind", "Pod"));
    }
}
