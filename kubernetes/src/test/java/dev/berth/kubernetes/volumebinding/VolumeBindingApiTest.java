package dev.berth.kubernetes.volumebinding;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.resource.Quantity;
import dev.berth.core.volumebinding.CsiDriver;
import dev.berth.core.volumebinding.CsiNode;
import dev.berth.core.volumebinding.CsiStorageCapacity;
import dev.berth.core.volumebinding.InTreePlugin;
import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.PersistentVolumeClaimKey;
import dev.berth.core.volumebinding.StorageClass;
import dev.berth.core.volumebinding.StorageObject;
import dev.berth.core.volumebinding.VolumeAttachment;
import dev.berth.core.volumebinding.VolumeWrite;
import dev.berth.kubernetes.effects.WriteRequest;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.ReadResult;
import dev.berth.kubernetes.projection.WireObjects;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VolumeBindingApiTest {
    @Test
    void aClaimIsReadWithAllFieldsThatVolumeBindingNeeds() {
        PersistentVolumeClaim claim = (PersistentVolumeClaim) read(new PersistentVolumeClaimProjection(), """
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
                .isEqualTo(new PersistentVolumeClaim(
                        new PersistentVolumeClaimKey("ns", "data"),
                        "u",
                        "7",
                        new PersistentVolumeClaim.ClaimSpec(
                                "fast",
                                Optional.of(Quantity.parse("5Gi")),
                                Set.of("ReadWriteOncePod"),
                                Optional.of(LabelSelector.of(Labels.of("colour", "blue"))),
                                "Block",
                                "gold"),
                        new PersistentVolumeClaim.ClaimState(
                                "pv1", true, Optional.of("n1"), false, false, Optional.of("pod-uid"))));
    }

    @Test
    void aMinimalClaimHasNoClassAndVolumeModeFilesystem() {
        PersistentVolumeClaim claim = (PersistentVolumeClaim) read(new PersistentVolumeClaimProjection(), """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data, namespace: ns, uid: u, deletionTimestamp: "2026-01-01T00:00:00Z"}
                status: {phase: Lost}
                """);
        assertThat(claim.spec())
                .isEqualTo(new PersistentVolumeClaim.ClaimSpec(
                        "", Optional.empty(), Set.of(), Optional.empty(), "Filesystem", ""));
        assertThat(claim.state().lost()).isTrue();
        assertThat(claim.state().terminating()).isTrue();
        assertThat(claim.isBound()).isFalse();
    }

    @Test
    void theClassThatAnAnnotationNamesCountsBeforeTheField() {
        PersistentVolumeClaim claim = (PersistentVolumeClaim) read(new PersistentVolumeClaimProjection(), """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata: {name: data, namespace: ns, uid: u,
                           annotations: {volume.beta.kubernetes.io/storage-class: old}}
                spec: {storageClassName: new}
                """);
        assertThat(claim.spec().storageClass()).isEqualTo("old");
    }

    @Test
    void aVolumeIsReadWithAllFieldsThatVolumeBindingNeeds() {
        PersistentVolume volume = (PersistentVolume) read(new PersistentVolumeProjection(), """
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
                        new PersistentVolume.VolumeSpec(
                                "local",
                                Quantity.parse("10Gi"),
                                Set.of("ReadWriteOnce", "ReadOnlyMany"),
                                "Filesystem",
                                ""),
                        new PersistentVolume.Reachability(
                                Optional.of(List.of(term("kubernetes.io/hostname", "n1"))),
                                Optional.of(new PersistentVolume.CsiVolume("disks.example.com", "h1")),
                                Optional.empty()),
                        new PersistentVolume.VolumeState(
                                Optional.of(
                                        new PersistentVolume.ClaimRef(new PersistentVolumeClaimKey("ns", "data"), "c")),
                                true,
                                true,
                                false)));
    }

    @Test
    void anInTreeDiskIsTranslatedToItsCsiDriver() {
        PersistentVolume gce = (PersistentVolume) read(new PersistentVolumeProjection(), """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: pv1, uid: u, labels: {topology.kubernetes.io/zone: us-east1-a}}
                spec: {capacity: {storage: 1Gi}, gcePersistentDisk: {pdName: disk}}
                """);
        assertThat(gce.reachability().migration())
                .contains(new PersistentVolume.CsiMigration(
                        InTreePlugin.GCE_PD,
                        new PersistentVolume.CsiVolume(
                                "pd.csi.storage.gke.io", "projects/UNSPECIFIED/zones/us-east1-a/disks/disk"),
                        Optional.of(List.of(term("topology.gke.io/zone", "us-east1-a")))));
        PersistentVolume ebs = (PersistentVolume) read(new PersistentVolumeProjection(), """
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
        assertThat(ebs.reachability().migration())
                .contains(new PersistentVolume.CsiMigration(
                        InTreePlugin.AWS_EBS,
                        new PersistentVolume.CsiVolume("ebs.csi.aws.com", "vol-7"),
                        Optional.of(List.of(new NodeSelectorTerm(
                                List.of(
                                        in("topology.ebs.csi.aws.com/zone", "us-east-1a"),
                                        in("topology.kubernetes.io/region", "us-east-1")),
                                List.of())))));
    }

    @Test
    void aRegionalGceDiskGetsARegionalVolumeHandle() {
        PersistentVolume gce = (PersistentVolume) read(new PersistentVolumeProjection(), """
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: pv1, uid: u, labels: {topology.kubernetes.io/zone: us-east1-b__us-east1-a}}
                spec: {gcePersistentDisk: {pdName: disk}}
                """);
        PersistentVolume.CsiMigration migration = gce.reachability().migration().orElseThrow();
        assertThat(migration.csiVolume().handle()).isEqualTo("projects/UNSPECIFIED/regions/us-east1/disks/disk");
        assertThat(migration.nodeTerms()).contains(List.of(term("topology.gke.io/zone", "us-east1-a", "us-east1-b")));
    }

    @Test
    void aStorageClassIsReadWithItsAllowedTopologies() {
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
    void csiNodesAreReadWithAttachLimitsAndMigratedPlugins() {
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
    void maximumVolumeSizeTakesPrecedenceOverCapacity() {
        assertThat(read(new CsiStorageCapacityProjection(), """
                        apiVersion: storage.k8s.io/v1
                        kind: CSIStorageCapacity
                        metadata: {name: c, namespace: ns, uid: u}
                        storageClassName: fast
                        nodeTopology: {matchLabels: {zone: a}}
                        capacity: 10Gi
                        maximumVolumeSize: 2Gi
                        """))
                .isEqualTo(new CsiStorageCapacity(
                        "u", "fast", Optional.of(LabelSelector.of(Labels.of("zone", "a"))), Optional.of(2L << 30)));
    }

    @Test
    void anAttachmentIsReadWithItsVolume() {
        assertThat(read(new VolumeAttachmentProjection(), """
                        apiVersion: storage.k8s.io/v1
                        kind: VolumeAttachment
                        metadata: {name: a, uid: u}
                        spec: {attacher: d, nodeName: n1, source: {persistentVolumeName: pv1}}
                        """))
                .isEqualTo(new VolumeAttachment("a", "u", "d", "n1", Optional.of("pv1")));
    }

    @Test
    void aVolumeGetsItsClaimRefAsTheVolumeControllerWouldSetIt() {
        WriteRequest request = VolumeBindingApi.encodeSetClaimRef(new VolumeWrite.SetClaimRef(
                "pv1",
                "u",
                "7",
                new PersistentVolume.ClaimRef(new PersistentVolumeClaimKey("ns", "data"), "c"),
                "5",
                true));
        assertThat(request.method()).isEqualTo("PATCH");
        assertThat(request.path()).isEqualTo("/api/v1/persistentvolumes/pv1");
        assertThat(WireObjects.yaml(body(request))).isEqualTo(WireObjects.yaml("""
                metadata:
                  {uid: u, resourceVersion: "7", annotations: {pv.kubernetes.io/bound-by-controller: "yes"}}
                spec:
                  claimRef:
                    {kind: PersistentVolumeClaim, apiVersion: v1, namespace: ns, name: data, uid: c,
                     resourceVersion: "5"}
                """));
    }

    @Test
    void aClaimGetsTheSelectedNodeAnnotation() {
        WriteRequest request = VolumeBindingApi.encodeSetSelectedNode(
                new VolumeWrite.SetSelectedNode(new PersistentVolumeClaimKey("ns", "data"), "u", "7", "n1"));
        assertThat(request.path()).isEqualTo("/api/v1/namespaces/ns/persistentvolumeclaims/data");
        assertThat(WireObjects.yaml(body(request))).isEqualTo(WireObjects.yaml("""
                metadata:
                  {uid: u, resourceVersion: "7", annotations: {volume.kubernetes.io/selected-node: n1}}
                """));
    }

    @Test
    void malformedObjectsAreReportedByName() {
        ReadResult<StorageObject> readResult =
                WireObjects.readFromJson(new PersistentVolumeClaimProjection(), WireObjects.yaml("""
                metadata: {name: data, namespace: ns, uid: u}
                spec: {resources: {requests: {storage: many}}}
                """));
        assertThat(readResult.problem())
                .contains("persistentvolumeclaim (ns/data)")
                .contains("many");
    }

    private static String body(WriteRequest request) {
        return new String(request.body().toBytes(), StandardCharsets.UTF_8);
    }

    /** The same from both languages. */
    private static StorageObject read(Projection<StorageObject> projection, String yaml) {
        ObjectNode object = WireObjects.yaml(yaml);
        ReadResult<StorageObject> json = WireObjects.readFromJson(projection, object);
        ReadResult<StorageObject> protobuf = WireObjects.readFromProtobuf(projection, object);
        assertThat(json.problem()).isEmpty();
        assertThat(protobuf.view()).isEqualTo(json.view());
        return json.view().orElseThrow();
    }

    private static NodeSelectorTerm term(String key, String... values) {
        return new NodeSelectorTerm(List.of(in(key, values)), List.of());
    }

    private static Requirement in(String key, String... values) {
        return new Requirement(key, Requirement.Operator.IN, List.of(values));
    }
}
