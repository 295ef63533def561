package dev.berth.kubernetes.volume;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.resource.Quantity;
import dev.berth.core.volume.Attachment;
import dev.berth.core.volume.ClaimKey;
import dev.berth.core.volume.CsiDriver;
import dev.berth.core.volume.CsiNode;
import dev.berth.core.volume.InTreePlugin;
import dev.berth.core.volume.PersistentVolume;
import dev.berth.core.volume.StorageCapacity;
import dev.berth.core.volume.StorageClass;
import dev.berth.core.volume.StorageObject;
import dev.berth.core.volume.VolumeClaim;
import dev.berth.core.volume.VolumeWrite;
import dev.berth.kubernetes.effects.ObjectRequest;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.Seen;
import dev.berth.kubernetes.projection.Wire;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VolumeObjectsTest {
    @Test
    void aClaimIsReadWithAllThatDecidesOnItsVolume() {
        VolumeClaim claim = (VolumeClaim) read(new ClaimProjection(), """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata:
                  {name: data, namespace: ns, uid: u, resourceVersion: "7",
                   annotations: {volume.kubernetes.io/selected-node: n1, pv.kubernetes.io/bind-completed: "yes"},
                   ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: pod-uid, controller: true}]}
                spec:
                  accessModes: [ReadWriteOncePod]
                  resources: {requests: {storage: 5Gi}}
                  volumeName: pv1
                  storageClassName: fast
                  volumeMode: Block
                  volumeAttributesClassName: gold
                  selector: {matchLabels: {colour: blue}}
                status: {phase: Bound}
                """);
        assertThat(claim)
                .isEqualTo(new VolumeClaim(
                        new ClaimKey("ns", "data"),
                        "u",
                        "7",
                        new VolumeClaim.Ask(
                                "fast",
                                Optional.of(Quantity.parse("5Gi")),
                                Set.of("ReadWriteOncePod"),
                                Optional.of(LabelSelector.of(Labels.of("colour", "blue"))),
                                "Block",
                                "gold"),
                        new VolumeClaim.State("pv1", true, Optional.of("n1"), false, false, Optional.of("pod-uid"))));
    }

    @Test
    void aClaimThatSaysLittleIsOfNoClassAndForFiles() {
        VolumeClaim claim = (VolumeClaim) read(new ClaimProjection(), """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data, namespace: ns, uid: u, deletionTimestamp: "2026-01-01T00:00:00Z"}
                status: {phase: Lost}
                """);
        assertThat(claim.ask())
                .isEqualTo(new VolumeClaim.Ask("", Optional.empty(), Set.of(), Optional.empty(), "Filesystem", ""));
        assertThat(claim.state().lost()).isTrue();
        assertThat(claim.state().deleting()).isTrue();
        assertThat(claim.isBound()).isFalse();
    }

    @Test
    void theClassThatAnAnnotationNamesCountsBeforeTheField() {
        VolumeClaim claim = (VolumeClaim) read(new ClaimProjection(), """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data, namespace: ns, uid: u,
                           annotations: {volume.beta.kubernetes.io/storage-class: old}}
                spec: {storageClassName: new}
                """);
        assertThat(claim.ask().storageClass()).isEqualTo("old");
    }

    @Test
    void aVolumeIsReadWithAllThatDecidesWhoGetsItWhere() {
        PersistentVolume volume = (PersistentVolume) read(new VolumeProjection(), """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: pv1, uid: u, resourceVersion: "7", labels: {colour: blue},
                           annotations: {pv.kubernetes.io/bound-by-controller: "yes"}}
                spec:
                  capacity: {storage: 10Gi}
                  accessModes: [ReadWriteOnce, ReadOnlyMany]
                  storageClassName: local
                  claimRef: {kind: PersistentVolumeClaim, namespace: ns, name: data, uid: c}
                  csi: {driver: disks.example.com, volumeHandle: h1}
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                      - matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [n1]}]
                status: {phase: Available}
                """);
        assertThat(volume)
                .isEqualTo(new PersistentVolume(
                        "pv1",
                        "u",
                        "7",
                        Labels.of("colour", "blue"),
                        new PersistentVolume.Offer(
                                "local",
                                Quantity.parse("10Gi"),
                                Set.of("ReadWriteOnce", "ReadOnlyMany"),
                                "Filesystem",
                                ""),
                        new PersistentVolume.Reach(
                                Optional.of(List.of(term("kubernetes.io/hostname", "n1"))),
                                Optional.of(new PersistentVolume.Csi("disks.example.com", "h1")),
                                Optional.empty()),
                        new PersistentVolume.State(
                                Optional.of(new PersistentVolume.ClaimRef(new ClaimKey("ns", "data"), "c")),
                                true,
                                true,
                                false)));
    }

    @Test
    void aDiskOfAFormerPluginIsAlsoReadAsItsSuccessorKnowsIt() {
        PersistentVolume gce = (PersistentVolume) read(new VolumeProjection(), """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: pv1, uid: u, labels: {topology.kubernetes.io/zone: us-east1-a}}
                spec: {capacity: {storage: 1Gi}, gcePersistentDisk: {pdName: disk}}
                """);
        assertThat(gce.reach().migration())
                .contains(new PersistentVolume.Migration(
                        InTreePlugin.GCE_PD,
                        new PersistentVolume.Csi(
                                "pd.csi.storage.gke.io", "projects/UNSPECIFIED/zones/us-east1-a/disks/disk"),
                        Optional.of(List.of(term("topology.gke.io/zone", "us-east1-a")))));
        PersistentVolume ebs = (PersistentVolume) read(new VolumeProjection(), """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: pv1, uid: u}
                spec:
                  awsElasticBlockStore: {volumeID: "aws://us-east-1a/vol-7"}
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                      - matchExpressions:
                        - {key: failure-domain.beta.kubernetes.io/zone, operator: In, values: [us-east-1a]}
                        - {key: failure-domain.beta.kubernetes.io/region, operator: In, values: [us-east-1]}
                """);
        assertThat(ebs.reach().migration())
                .contains(new PersistentVolume.Migration(
                        InTreePlugin.AWS_EBS,
                        new PersistentVolume.Csi("ebs.csi.aws.com", "vol-7"),
                        Optional.of(List.of(new NodeTerm(
                                List.of(
                                        in("topology.ebs.csi.aws.com/zone", "us-east-1a"),
                                        in("topology.kubernetes.io/region", "us-east-1")),
                                List.of())))));
    }

    @Test
    void aRegionalDiskIsKnownByItsRegion() {
        PersistentVolume gce = (PersistentVolume) read(new VolumeProjection(), """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: pv1, uid: u, labels: {topology.kubernetes.io/zone: us-east1-b__us-east1-a}}
                spec: {gcePersistentDisk: {pdName: disk}}
                """);
        PersistentVolume.Migration migration = gce.reach().migration().orElseThrow();
        assertThat(migration.csi().handle()).isEqualTo("projects/UNSPECIFIED/regions/us-east1/disks/disk");
        assertThat(migration.nodes()).contains(List.of(term("topology.gke.io/zone", "us-east1-a", "us-east1-b")));
    }

    @Test
    void aClassIsReadWithWhereItMakesVolumes() {
        assertThat(read(new StorageClassProjection(), """
                        apiVersion: storage.k8s.io/v1
                        kind: StorageClass
                        metadata: {name: fast, uid: u}
                        provisioner: disks.example.com
                        volumeBindingMode: WaitForFirstConsumer
                        allowedTopologies:
                        - matchLabelExpressions: [{key: zone, values: [a, b]}]
                        """))
                .isEqualTo(new StorageClass("fast", "u", "disks.example.com", true, List.of(term("zone", "a", "b"))));
    }

    @Test
    void driversAreReadWithTheirLimitsAndPredecessors() {
        assertThat(read(new CsiNodeProjection(), """
                        apiVersion: storage.k8s.io/v1
                        kind: CSINode
                        metadata: {name: n1, uid: u,
                                   annotations: {storage.alpha.kubernetes.io/migrated-plugins: "kubernetes.io/gce-pd,kubernetes.io/cinder"}}
                        spec:
                          drivers:
                          - {name: limited, nodeID: x, allocatable: {count: 5}}
                          - {name: unlimited, nodeID: x}
                        """))
                .isEqualTo(new CsiNode(
                        "n1", "u", Map.of("limited", 5L), Set.of("kubernetes.io/gce-pd", "kubernetes.io/cinder")));
        assertThat(read(new CsiDriverProjection(), """
                        apiVersion: storage.k8s.io/v1
                        kind: CSIDriver
                        metadata: {name: d, uid: u}
                        spec: {storageCapacity: true}
                        """)).isEqualTo(new CsiDriver("d", "u", true));
    }

    @Test
    void theLargestVolumeCountsBeforeTheCapacity() {
        assertThat(read(new CapacityProjection(), """
                        apiVersion: storage.k8s.io/v1
                        kind: CSIStorageCapacity
                        metadata: {name: c, namespace: ns, uid: u}
                        storageClassName: fast
                        nodeTopology: {matchLabels: {zone: a}}
                        capacity: 10Gi
                        maximumVolumeSize: 2Gi
                        """))
                .isEqualTo(new StorageCapacity(
                        "u", "fast", Optional.of(LabelSelector.of(Labels.of("zone", "a"))), Optional.of(2L << 30)));
    }

    @Test
    void anAttachmentIsReadWithItsVolume() {
        assertThat(read(new AttachmentProjection(), """
                        apiVersion: storage.k8s.io/v1
                        kind: VolumeAttachment
                        metadata: {name: a, uid: u}
                        spec: {attacher: d, nodeName: n1, source: {persistentVolumeName: pv1}}
                        """))
                .isEqualTo(new Attachment("a", "u", "d", "n1", Optional.of("pv1")));
    }

    @Test
    void aVolumeIsReservedAsItsControllerWouldBindIt() {
        ObjectRequest request = VolumeObjects.reserve(new VolumeWrite.Reserve(
                "pv1", "u", "7", new PersistentVolume.ClaimRef(new ClaimKey("ns", "data"), "c"), "5", true));
        assertThat(request.method()).isEqualTo("PATCH");
        assertThat(request.path()).isEqualTo("/api/v1/persistentvolumes/pv1");
        assertThat(Wire.yaml(body(request))).isEqualTo(Wire.yaml("""
                metadata:
                  {uid: u, resourceVersion: "7", annotations: {pv.kubernetes.io/bound-by-controller: "yes"}}
                spec:
                  claimRef:
                    {kind: PersistentVolumeClaim, apiVersion: v1, namespace: ns, name: data, uid: c,
                     resourceVersion: "5"}
                """));
    }

    @Test
    void aClaimIsToldTheNodeByItsAnnotation() {
        ObjectRequest request =
                VolumeObjects.selectNode(new VolumeWrite.SelectNode(new ClaimKey("ns", "data"), "u", "7", "n1"));
        assertThat(request.path()).isEqualTo("/api/v1/namespaces/ns/persistentvolumeclaims/data");
        assertThat(Wire.yaml(body(request))).isEqualTo(Wire.yaml("""
                metadata:
                  {uid: u, resourceVersion: "7", annotations: {volume.kubernetes.io/selected-node: n1}}
                """));
    }

    @Test
    void whatMakesNoSenseIsReportedByName() {
        Seen<StorageObject> seen = Wire.throughJson(new ClaimProjection(), Wire.yaml("""
                metadata: {name: data, namespace: ns, uid: u}
                spec: {resources: {requests: {storage: many}}}
                """));
        assertThat(seen.problem()).contains("persistentvolumeclaim (ns/data)").contains("many");
    }

    private static String body(ObjectRequest request) {
        return new String(request.body().write(), StandardCharsets.UTF_8);
    }

    /** The same from both languages. */
    private static StorageObject read(Projection<StorageObject> projection, String yaml) {
        ObjectNode object = Wire.yaml(yaml);
        Seen<StorageObject> json = Wire.throughJson(projection, object);
        Seen<StorageObject> protobuf = Wire.throughProtobuf(projection, object);
        assertThat(json.problem()).isEmpty();
        assertThat(protobuf.view()).isEqualTo(json.view());
        return json.view().orElseThrow();
    }

    private static NodeTerm term(String key, String... values) {
        return new NodeTerm(List.of(in(key, values)), List.of());
    }

    private static Requirement in(String key, String... values) {
        return new Requirement(key, Requirement.Operator.IN, List.of(values));
    }
}
