package dev.berth.sandbox;

import static dev.berth.sandbox.InProcessServer.message;
import static dev.berth.sandbox.InProcessServer.ok;
import static dev.berth.sandbox.InProcessServer.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.RestRequest;
import dev.berth.sandbox.protobuf.ProtobufCodec;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.ExtraField;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.SchemaExtensions;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaExtensionsTest {

    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String CLAIMS = "/apis/extensions/v1alpha1/namespaces/default/parts";
    private static final ExtraField FIELD = ExtraField.stringList("io.k8s.api.core.v1.Container", "parts", 1022);

    private final InProcessServer api =
            new InProcessServer(SchemaExtensions.NONE.withField(FIELD).withGroup("extensions"));

    @Test
    void anExtraFieldIsKeptWhereverItsStructIsUsed() {
        ObjectNode deployment = ok(api.post(DEPLOYMENTS + "?fieldValidation=Strict", deployment("[\"a\", \"b\"]")));
        ObjectNode pod = ok(api.post("/api/v1/namespaces/default/pods?fieldValidation=Strict", pod("[c]")));

        assertThat(deployment.at("/spec/template/spec/containers/0/parts").toString())
                .isEqualTo("[\"a\",\"b\"]");
        assertThat(pod.at("/spec/containers/0/parts/0").asText()).isEqualTo("c");
        assertThat(ok(api.get("/api/v1/namespaces/default/pods/p"))
                        .at("/spec/containers/0/parts/0")
                        .asText())
                .isEqualTo("c");
    }

    @Test
    void anExtraFieldOfAnotherTypeIsRefused() {
        BodyResponse bodyResponse = api.post(DEPLOYMENTS, deployment("{no: list}"));

        assertThat(message(refused(400, bodyResponse))).contains("containers.parts of type []string");
    }

    @Test
    void anExtraFieldOfAPodSpecIsImmutable() {
        ok(api.post("/api/v1/namespaces/default/pods", pod("[c]")));

        BodyResponse bodyResponse = api.patch(
                "/api/v1/namespaces/default/pods/p",
                "strategic-merge-patch+json",
                "{\"spec\":{\"containers\":[{\"name\":\"main\",\"parts\":[\"d\"]}]}}");

        assertThat(message(refused(422, bodyResponse))).contains("pod updates may not change fields other than");
    }

    @Test
    void aStrategicPatchReplacesAnExtraList() {
        ok(api.post(DEPLOYMENTS, deployment("[a, b]")));

        ObjectNode patched = ok(api.patch(
                DEPLOYMENTS + "/d",
                "strategic-merge-patch+json",
                "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"main\",\"parts\":[\"c\"]}]}}}}"));

        assertThat(patched.at("/spec/template/spec/containers/0/parts").toString())
                .isEqualTo("[\"c\"]");
    }

    @Test
    void anExtraFieldIsInProtobufBothWays() throws Exception {
        GroupVersionKind pods = new GroupVersionKind("", "v1", "Pod");
        ProtobufCodec codec = new ProtobufCodec(BuiltInSchemas.with(List.of(FIELD)));
        ok(api.post("/api/v1/namespaces/default/pods", pod("[c]")));

        BodyResponse read = api.send(
                RestRequest.of("GET", "/api/v1/namespaces/default/pods/p").withAccept(ProtobufCodec.MEDIA_TYPE));
        ObjectNode decoded = codec.decode(bytes(read), pods);
        decoded.withObjectProperty("metadata").removeAll().put("name", "q");
        BodyResponse written = api.send(RestRequest.of("POST", "/api/v1/namespaces/default/pods")
                .withBody(ProtobufCodec.MEDIA_TYPE, codec.encode(pods, decoded).envelope()));

        assertThat(ok(written).at("/spec/containers/0/parts/0").asText()).isEqualTo("c");
    }

    @Test
    void anExtraFieldAppearsInOpenApi() throws IOException {
        JsonNode document = new ObjectMapper().readTree(bytes(api.get("/openapi/v3/apis/apps/v1")));

        assertThat(document.path("components")
                        .path("schemas")
                        .path("io.k8s.api.core.v1.Container")
                        .path("properties")
                        .path("parts")
                        .toString())
                .isEqualTo(
                        "{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"x-kubernetes-list-type\":\"atomic\"}");
    }

    @Test
    void otherServersDoNotHaveTheExtraField() {
        InProcessServer plain = new InProcessServer();

        BodyResponse created = plain.post(DEPLOYMENTS, deployment("[a]"));

        assertThat(created.warnings()).containsExactly("unknown field \"spec.template.spec.containers[0].parts\"");
        assertThat(ok(created).at("/spec/template/spec/containers/0").has("parts"))
                .isFalse();
    }

    @Test
    void anExtraFieldWithAnExistingNameOrNumberIsRejected() {
        assertThatThrownBy(() ->
                        BuiltInSchemas.with(List.of(ExtraField.stringList("io.k8s.api.core.v1.Container", "image", 0))))
                .hasMessageContaining("has a field (image)");
        assertThatThrownBy(() -> BuiltInSchemas.with(
                        List.of(ExtraField.stringList("io.k8s.api.core.v1.Container", "parts", 22))))
                .hasMessageContaining("has a field (startupProbe) with number (22)");
        assertThatThrownBy(() -> BuiltInSchemas.with(List.of(ExtraField.stringList("Container", "parts", 0))))
                .hasMessageContaining("struct (Container)");
    }

    @Test
    void aCrdMayUseAnAddedGroupWithoutADot() {
        ok(api.post(DEFINITIONS, definition("extensions")));

        ObjectNode created = ok(api.post(
                CLAIMS, "{apiVersion: extensions/v1alpha1, kind: Part, metadata: {name: k80}, spec: {number: 1}}"));

        assertThat(created.at("/spec/number").asInt()).isEqualTo(1);
        assertThat(ok(api.get("/apis/extensions"))
                        .at("/preferredVersion/groupVersion")
                        .asText())
                .isEqualTo("extensions/v1alpha1");
        assertThat(ok(api.get("/apis/apiregistration.k8s.io/v1/apiservices/v1alpha1.extensions"))
                        .at("/spec/group")
                        .asText())
                .isEqualTo("extensions");
    }

    @Test
    void otherGroupsStillNeedADot() {
        assertThat(message(refused(422, api.post(DEFINITIONS, definition("apples")))))
                .endsWith("spec.group: Invalid value: \"apples\": should be a domain with at least one dot");
    }

    private static byte[] bytes(BodyResponse bodyResponse) {
        assertThat(bodyResponse.code()).isEqualTo(200);
        return bodyResponse.chunks().get(0);
    }

    private static String pod(String parts) {
        return """
                apiVersion: v1
                kind: Pod
                metadata: {name: p}
                spec: {containers: [{name: main, image: nginx, parts: %s}]}
                """.formatted(parts);
    }

    private static String deployment(String parts) {
        return """
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: d}
                spec:
                  selector: {matchLabels: {app: d}}
                  template:
                    metadata: {labels: {app: d}}
                    spec: {containers: [{name: main, image: nginx, parts: %s}]}
                """.formatted(parts);
    }

    private static String definition(String group) {
        return """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: parts.%1$s}
                spec:
                  group: %1$s
                  scope: Namespaced
                  names: {kind: Part, plural: parts}
                  versions:
                  - name: v1alpha1
                    served: true
                    storage: true
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec: {type: object, properties: {number: {type: integer}}}
                """.formatted(group);
    }
}
