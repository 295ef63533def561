package dev.berth.kubernetes.door.devices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.door.devices.Device;
import dev.berth.core.door.devices.DeviceClaim;
import dev.berth.core.door.devices.DeviceObjectRef;
import dev.berth.core.door.devices.DeviceObjectStatus;
import dev.berth.core.door.devices.DeviceWrite;
import dev.berth.kubernetes.effects.WriteRequest;
import dev.berth.kubernetes.projection.NodeProjection;
import dev.berth.kubernetes.projection.PodProjection;
import dev.berth.kubernetes.projection.WireObjects;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DevicesApiTest {
    @Test
    void allFieldsOfADeviceAreRead() {
        Device device = device("""
                metadata: {name: er1, uid: u, resourceVersion: "7", annotations: {extendedresourceclaim/namespace: ns}}
                spec:
                  rawResourceName: nvidia.com/gpu
                  deviceID: gpu1
                  extendedResourceClaimName: k80-erc
                  properties: {type: k80}
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                      - matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [n1]}]
                status: {phase: Bound, capacity: "0"}
                """);

        assertThat(device.ref()).isEqualTo(new DeviceObjectRef("extensions", "", "er1", "u", "7"));
        assertThat(device.resource()).isEqualTo("nvidia.com/gpu");
        assertThat(device.deviceId()).isEqualTo("gpu1");
        assertThat(device.properties()).isEqualTo(Labels.of("type", "k80"));
        assertThat(device.binding()).isEqualTo(new Device.DeviceBinding("ns", "k80-erc", ""));
        assertThat(device.status()).isEqualTo(new DeviceObjectStatus("Bound", "", ""));
        assertThat(device.nodeTerms()).hasSize(1);
        assertThat(device.problem()).isEmpty();
    }

    @Test
    void aMalformedDeviceIsReadWithItsProblem() {
        Device device = device("""
                metadata: {name: er1, uid: u, resourceVersion: "7"}
                spec:
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                      - matchExpressions: [{key: kubernetes.io/hostname, operator: Like, values: [n1]}]
                """);

        assertThat(device.problem())
                .hasValueSatisfying(words -> assertThat(words).contains("operator (Like)"));
    }

    @Test
    void allFieldsOfAClaimAreRead() {
        DeviceClaim claim = claim("""
                metadata: {name: k80-erc, namespace: default, uid: u, resourceVersion: "7"}
                spec:
                  rawResourceName: nvidia.com-gpu
                  metadataRequirements:
                    matchLabels: {type: k80}
                    matchExpressions: [{key: memory, operator: Exists}]
                  extendedResourceNames: [er1]
                  extendResourceNum: 2
                """);

        DeviceClaim.DeviceClaimSpec deviceClaimSpec = claim.spec();
        assertThat(deviceClaimSpec.resource()).isEqualTo("nvidia.com-gpu");
        assertThat(deviceClaimSpec.deviceNames()).containsExactly("er1");
        assertThat(deviceClaimSpec.total()).isEqualTo(2);
        assertThat(deviceClaimSpec.properties().matches(Labels.of("type", "k80")))
                .isFalse();
        assertThat(deviceClaimSpec.properties().matches(Labels.of("type", "k80").with("memory", "24")))
                .isTrue();
        assertThat(claim.allocation())
                .isEqualTo(new DeviceClaim.DeviceClaimAllocation(List.of("er1"), Optional.empty(), Optional.empty()));
        assertThat(claim.invalidReason()).isEmpty();
    }

    @Test
    void theRequestedNamesOfABoundClaimAreReadFromTheAnnotation() {
        DeviceClaim claim = claim("""
                metadata:
                  name: k80-erc
                  namespace: default
                  uid: u
                  annotations: {extendedresourceclaim/podName: p, berth.dev/requested-extended-resources: ""}
                spec: {rawResourceName: nvidia.com-gpu, extendedResourceNames: [er1], extendResourceNum: 1}
                status: {phase: Bound, reason: because}
                """);

        assertThat(claim.spec().deviceNames()).isEmpty();
        assertThat(claim.allocation())
                .isEqualTo(new DeviceClaim.DeviceClaimAllocation(
                        List.of("er1"), Optional.of(List.of()), Optional.of("p")));
    }

    @Test
    void bindingAClaimIsOnePatchWithTheResourceVersion() {
        WriteRequest request = DevicesApi.encodeClaimUpdate(new DeviceWrite.UpdateClaim(
                new DeviceObjectRef("extensions.berth.dev", "default", "k80-erc", "u", "7"),
                new DeviceClaim.DeviceClaimAllocation(List.of("er1"), Optional.of(List.of()), Optional.of("p")),
                new DeviceObjectStatus("Bound", "because", "")));

        assertThat(request.method() + " " + request.path())
                .isEqualTo("PATCH /apis/extensions.berth.dev/v1alpha1/namespaces/default"
                        + "/extendedresourceclaims/k80-erc");
        assertThat(words(request))
                .isEqualTo("{\"metadata\":{\"uid\":\"u\",\"resourceVersion\":\"7\",\"annotations\":"
                        + "{\"extendedresourceclaim/podName\":\"p\","
                        + "\"berth.dev/requested-extended-resources\":\"\"}},"
                        + "\"status\":{\"phase\":\"Bound\",\"reason\":\"because\",\"message\":null},"
                        + "\"spec\":{\"extendedResourceNames\":[\"er1\"]}}");
    }

    @Test
    void freeingADeviceRemovesItsClaimAndItsAnnotations() {
        WriteRequest request = DevicesApi.encodeDeviceUpdate(new DeviceWrite.UpdateDevice(
                new DeviceObjectRef("extensions", "", "er1", "u", "7"),
                Device.DeviceBinding.NONE,
                new DeviceObjectStatus("Available", "", "")));

        assertThat(request.path()).isEqualTo("/apis/extensions/v1alpha1/extendedresources/er1");
        assertThat(words(request))
                .contains("\"extendedresourceclaim/namespace\":null")
                .contains("\"extendedResourceClaimName\":\"\"");
    }

    @Test
    void claimsInTheContainersFieldEqualThoseInTheAnnotation() {
        Pod pod = WireObjects.readFromJson(
                        new PodProjection(key -> key.startsWith("berth.dev/")), WireObjects.yaml("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: p
                  namespace: default
                  uid: u
                  annotations: {berth.dev/extended-resource-claims: "more,most"}
                spec:
                  containers:
                  - {name: a, extendedResourceClaims: [k80-erc, other]}
                  - {name: b, extendedResourceClaims: [k80-erc]}
                """))
                .view()
                .orElseThrow()
                .pod();

        assertThat(DeviceClaim.claimNamesOf(pod)).containsExactly("k80-erc", "more", "most", "other");
    }

    @Test
    void aNodeThatIsNotReadySaysSinceWhen() {
        ObjectNode object = WireObjects.yaml("""
                apiVersion: v1
                kind: Node
                metadata: {name: n, uid: u}
                status:
                  conditions:
                  - {type: MemoryPressure, status: "False", lastTransitionTime: 2026-01-01T00:00:00Z}
                  - {type: Ready, status: Unknown, lastTransitionTime: 2026-01-02T00:00:00Z}
                """);
        NodeProjection projection = new NodeProjection(key -> false);

        Instant since = Instant.parse("2026-01-02T00:00:00Z");
        assertThat(WireObjects.readFromJson(projection, object).view().flatMap(Node::notReadySince))
                .contains(since);
        assertThat(WireObjects.readFromProtobuf(projection, object).view().flatMap(Node::notReadySince))
                .contains(since);
    }

    private static Device device(String yaml) {
        return WireObjects.readFromJson(new DeviceProjection("extensions"), WireObjects.yaml(yaml))
                .view()
                .orElseThrow();
    }

    private static DeviceClaim claim(String yaml) {
        return WireObjects.readFromJson(new DeviceClaimProjection("extensions"), WireObjects.yaml(yaml))
                .view()
                .orElseThrow();
    }

    private static String words(WriteRequest request) {
        return new String(request.body().toBytes(), StandardCharsets.UTF_8);
    }
}
