package dev.berth.kubernetes.door.device;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.door.device.Device;
import dev.berth.core.door.device.DeviceClaim;
import dev.berth.core.door.device.DeviceWrite;
import dev.berth.core.door.device.ObjectRef;
import dev.berth.core.door.device.ObjectStatus;
import dev.berth.kubernetes.effects.ObjectRequest;
import dev.berth.kubernetes.projection.NodeProjection;
import dev.berth.kubernetes.projection.PodProjection;
import dev.berth.kubernetes.projection.Wire;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeviceObjectsTest {
    @Test
    void aDeviceIsReadAsItsAuthorMeantIt() {
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

        assertThat(device.ref()).isEqualTo(new ObjectRef("extensions", "", "er1", "u", "7"));
        assertThat(device.resource()).isEqualTo("nvidia.com/gpu");
        assertThat(device.id()).isEqualTo("gpu1");
        assertThat(device.properties()).isEqualTo(Labels.of("type", "k80"));
        assertThat(device.link()).isEqualTo(new Device.Link("ns", "k80-erc", ""));
        assertThat(device.status()).isEqualTo(new ObjectStatus("Bound", "", ""));
        assertThat(device.nodes()).hasSize(1);
        assertThat(device.problem()).isEmpty();
    }

    @Test
    void aDeviceThatMakesNoSenseIsReadWithWhatIsWrong() {
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
    void aClaimIsReadAsItsAuthorMeantIt() {
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

        DeviceClaim.Ask ask = claim.ask();
        assertThat(ask.resource()).isEqualTo("nvidia.com-gpu");
        assertThat(ask.names()).containsExactly("er1");
        assertThat(ask.total()).isEqualTo(2);
        assertThat(ask.properties().matches(Labels.of("type", "k80"))).isFalse();
        assertThat(ask.properties().matches(Labels.of("type", "k80").with("memory", "24")))
                .isTrue();
        assertThat(claim.written())
                .isEqualTo(new DeviceClaim.Written(List.of("er1"), Optional.empty(), Optional.empty()));
        assertThat(claim.flaw()).isEmpty();
    }

    @Test
    void whileAPodHasAClaimTheAnnotationSaysWhatWasAskedFor() {
        DeviceClaim claim = claim("""
                metadata:
                  name: k80-erc
                  namespace: default
                  uid: u
                  annotations: {extendedresourceclaim/podName: p, berth.dev/requested-extended-resources: ""}
                spec: {rawResourceName: nvidia.com-gpu, extendedResourceNames: [er1], extendResourceNum: 1}
                status: {phase: Bound, reason: because}
                """);

        assertThat(claim.ask().names()).isEmpty();
        assertThat(claim.written())
                .isEqualTo(new DeviceClaim.Written(List.of("er1"), Optional.of(List.of()), Optional.of("p")));
    }

    @Test
    void aClaimThatIsGivenIsOneWriteOfTheVeryVersion() {
        ObjectRequest request = DeviceObjects.claim(new DeviceWrite.OfClaim(
                new ObjectRef("extensions.berth.dev", "default", "k80-erc", "u", "7"),
                new DeviceClaim.Written(List.of("er1"), Optional.of(List.of()), Optional.of("p")),
                new ObjectStatus("Bound", "because", "")));

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
    void aDeviceThatIsFreedLosesItsClaimAndItsAnnotation() {
        ObjectRequest request = DeviceObjects.device(new DeviceWrite.OfDevice(
                new ObjectRef("extensions", "", "er1", "u", "7"),
                Device.Link.NONE,
                new ObjectStatus("Available", "", "")));

        assertThat(request.path()).isEqualTo("/apis/extensions/v1alpha1/extendedresources/er1");
        assertThat(words(request))
                .contains("\"extendedresourceclaim/namespace\":null")
                .contains("\"extendedResourceClaimName\":\"\"");
    }

    @Test
    void claimsInTheContainersFieldCountAsThoseInTheAnnotation() {
        Pod pod = Wire.throughJson(new PodProjection(key -> key.startsWith("berth.dev/")), Wire.yaml("""
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

        assertThat(DeviceClaim.namedBy(pod)).containsExactly("k80-erc", "more", "most", "other");
    }

    @Test
    void aNodeThatIsNotReadySaysSinceWhen() {
        ObjectNode object = Wire.yaml("""
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
        assertThat(Wire.throughJson(projection, object).view().flatMap(Node::notReadySince))
                .contains(since);
        assertThat(Wire.throughProtobuf(projection, object).view().flatMap(Node::notReadySince))
                .contains(since);
    }

    private static Device device(String yaml) {
        return Wire.throughJson(new DeviceProjection("extensions"), Wire.yaml(yaml))
                .view()
                .orElseThrow();
    }

    private static DeviceClaim claim(String yaml) {
        return Wire.throughJson(new ClaimProjection("extensions"), Wire.yaml(yaml))
                .view()
                .orElseThrow();
    }

    private static String words(ObjectRequest request) {
        return new String(request.body().write(), StandardCharsets.UTF_8);
    }
}
