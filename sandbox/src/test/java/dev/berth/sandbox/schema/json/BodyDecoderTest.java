package dev.berth.sandbox.schema.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.core.testing.RandomSeeds;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.RandomObjects;
import dev.berth.sandbox.schema.StructSchema;
import dev.berth.sandbox.schema.value.DecodingException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BodyDecoderTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final GroupVersionKind POD = GroupVersionKind.of("v1", "Pod");

    private final BuiltInSchemas schemas = BuiltInSchemas.load();
    private final BodyDecoder decoder = new BodyDecoder(schemas);

    @Test
    void aBodyIsDecodedAsByTheRealServer() throws Exception {
        DecodedObject decodedObject = decode(POD, pod("'resources': {'requests': {'cpu': 0.5, 'memory': '1024Mi'}}"));
        assertThat(decodedObject.problems()).isEmpty();
        assertThat(decodedObject.object()).isEqualTo(json("""
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "status": {},
                 "spec": {"containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "500m", "memory": "1Gi"}}}]}}"""));
    }

    @Test
    void unknownAndDuplicateFieldsAreReportedInBodyOrder() throws Exception {
        DecodedObject decodedObject = decode(
                POD,
                pod(
                        "'imagee': 'x', 'ports': [{'containerPort': 80, 'x': 1}], 'ports': [{'containerPort': 81, 'y': 2}]"));
        assertThat(decodedObject.problems())
                .containsExactly(
                        "unknown field \"spec.containers[0].imagee\"",
                        "unknown field \"spec.containers[0].ports[0].x\"",
                        "duplicate field \"spec.containers[0].ports\"",
                        "unknown field \"spec.containers[0].ports[0].y\"");
        assertThat(decodedObject.strictErrorMessage())
                .startsWith("Pod in version \"v1\" cannot be handled as a Pod: strict decoding error:"
                        + " unknown field \"spec.containers[0].imagee\", unknown field")
                .endsWith("\"spec.containers[0].ports[0].y\"");
        assertThat(decodedObject.object().at("/spec/containers/0/ports")).isEqualTo(json("[{\"containerPort\": 81}]"));
    }

    @Test
    void duplicateFieldsAreFoundInMapsAndForOmittedValues() throws Exception {
        DecodedObject decodedObject = decode(POD, """
                {"metadata": {"labels": {"b": "c", "b": "d"}, "name": "", "name": "a", "namespace": null, "namespace": null}}""");
        assertThat(decodedObject.problems())
                .containsExactly(
                        "duplicate field \"metadata.labels.b\"",
                        "duplicate field \"metadata.name\"",
                        "duplicate field \"metadata.namespace\"");
        assertThat(decodedObject.object().at("/metadata/labels/b").asText()).isEqualTo("d");
    }

    @Test
    void fieldNamesAreCaseSensitive() throws Exception {
        assertThat(decode(POD, "{\"Kind\": \"Pod\", \"metadata\": {\"Name\": \"x\"}}")
                        .problems())
                .containsExactly("unknown field \"Kind\"", "unknown field \"metadata.Name\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'ports': [{'containerPort': '80'}] | string into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32",
                "'ports': [{'containerPort': 80.5}] | number 80.5 into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32",
                "'ports': [{'containerPort': 99999999999}] | number 99999999999 into Go struct field ContainerPort.spec.containers.ports.containerPort of type int32",
                "'ports': {'containerPort': 1} | object into Go struct field Container.spec.containers.ports of type []v1.ContainerPort",
                "'command': [1] | number into Go struct field Container.spec.containers.command of type string",
                "'command': 'x' | string into Go struct field Container.spec.containers.command of type []string",
                "'tty': 'true' | string into Go struct field Container.spec.containers.tty of type bool",
                "'resources': {'requests': []} | array into Go struct field ResourceRequirements.spec.containers.resources.requests of type v1.ResourceList",
                "'resources': 'x' | string into Go struct field Container.spec.containers.resources of type v1.ResourceRequirements",
                "'livenessProbe': {'httpGet': {'port': true}} | bool into Go struct field HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port of type int32",
            })
    void aWrongTypeIsReportedWithFieldValueAndExpectedType(String member, String why) {
        assertThatThrownBy(() -> decode(POD, pod(member)))
                .isInstanceOf(DecodingException.class)
                .hasMessage("Pod in version \"v1\" cannot be handled as a Pod: json: cannot unmarshal " + why);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "'resources': {'requests': {'cpu': '1x'}} | quantities must match the regular expression",
                "'resources': {'requests': {'cpu': true}} | quantities must match the regular expression",
                "'resources': {'requests': {'cpu': {}}} | quantities must match the regular expression",
            })
    void aWrongQuantityIsReportedWithTheGrammar(String member, String why) {
        assertThatThrownBy(() -> decode(POD, pod(member))).hasMessageContaining("cannot be handled as a Pod: " + why);
    }

    @Test
    void aWrongTimeAndWrongBase64AreReported() {
        assertThatThrownBy(() -> decode(POD, "{\"metadata\": {\"creationTimestamp\": \"yesterday\"}}"))
                .hasMessageContaining("parsing time \"yesterday\"");
        GroupVersionKind secret = GroupVersionKind.of("v1", "Secret");
        assertThatThrownBy(() -> decode(secret, "{\"data\": {\"a\": \"!!\"}}"))
                .hasMessage(
                        "Secret in version \"v1\" cannot be handled as a Secret: illegal base64 data at input byte 0");
        assertThatThrownBy(() -> decode(secret, "{\"data\": {\"a\": \"YQ\"}}")).hasMessageContaining("input byte 2");
    }

    @Test
    void aNullFieldIsAbsentAndANullElementIsAZeroValue() throws Exception {
        DecodedObject decodedObject =
                decode(POD, pod("'ports': [null], 'env': null, 'livenessProbe': null, 'command': [null]"));
        assertThat(decodedObject.object().at("/spec/containers/0")).isEqualTo(json("""
                        {"name": "c", "image": "i", "ports": [{"containerPort": 0}], "command": [""], "resources": {}}"""));
    }

    @Test
    void aTimeIsConvertedToUtc() throws Exception {
        DecodedObject decodedObject =
                decode(POD, "{\"metadata\": {\"creationTimestamp\": \"2020-01-01T01:02:03+02:00\"}}");
        assertThat(decodedObject.object().at("/metadata/creationTimestamp").asText())
                .isEqualTo("2019-12-31T23:02:03Z");
    }

    @Test
    void theMissingTimesOfAnEventAreNull() throws Exception {
        DecodedObject decodedObject = decode(GroupVersionKind.of("v1", "Event"), "{}");
        assertThat(decodedObject.object().get("firstTimestamp").isNull()).isTrue();
        assertThat(decodedObject.object().get("reportingComponent").asText("?")).isEmpty();
        assertThat(decodedObject.object().get("source")).isEqualTo(json("{}"));
    }

    @Test
    void aJsonSchemaMayUseItsAlternativeForms() throws Exception {
        String schema = """
                {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}},
                 "b": {"additionalProperties": false}, "c": {"default": {"x": [1, null]}, "minimum": 1.0, "maximum": 0.5}}}""";
        DecodedObject decodedObject = decode(
                GroupVersionKind.of("apiextensions.k8s.io/v1", "CustomResourceDefinition"), """
                {"spec": {"versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": %s}}]}}""".formatted(schema));
        assertThat(decodedObject.problems()).isEmpty();
        assertThat(decodedObject.object().at("/spec/versions/0/schema/openAPIV3Schema"))
                .isEqualTo(json(schema.replace("1.0", "1")));
    }

    @Test
    void aBodyMayOmitKindAndApiVersion() throws Exception {
        DecodedObject decodedObject = decode(POD, "{}");
        assertThat(decodedObject.object().get("kind").asText()).isEqualTo("Pod");
        assertThat(decodedObject.object().get("apiVersion").asText()).isEqualTo("v1");
        assertThat(decodedObject.object().at("/spec/containers").isNull()).isTrue();
    }

    @Test
    void anotherKindIsRejectedBeforeItsFieldsAreDecoded() {
        assertThatThrownBy(() -> decode(POD, "{\"spec\": 5, \"kind\": \"Node\", \"apiVersion\": \"v1\"}"))
                .hasMessageStartingWith("Node in version \"v1\" cannot be handled as a Pod: ");
        assertThatThrownBy(() -> decode(POD, "{\"kind\": \"Pod\", \"apiVersion\": \"v2\"}"))
                .hasMessage("the API version in the data (v2) does not match the expected API version (v1)");
    }

    @Test
    void optionsAreAcceptedInAnyApiVersion() throws Exception {
        DecodedObject decodedObject = decode(GroupVersionKind.of("v1", "DeleteOptions"), """
                        {"kind": "DeleteOptions", "apiVersion": "apps/v1", "gracePeriodSeconds": 0}""");
        assertThat(decodedObject.object().get("gracePeriodSeconds").asInt(-1)).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"apiVersion\":\"v1\",\"kind\":\"Pod\", | unexpected end of JSON input ({\"apiVersion\":\"v1\",\"kind\":\"Pod ...)",
                "~~ | unexpected end of JSON input (<empty>)",
                "[] | cannot unmarshal array, an object is expected (5b5d)",
                "{} x | Unrecognized token 'x'",
                "{} {} | invalid character after top-level value",
                "{'a' | Unexpected character"
            })
    void malformedJsonIsReportedWithAnExcerpt(String body, String why) {
        assertThatThrownBy(() -> decode(POD, body))
                .isInstanceOf(DecodingException.class)
                .hasMessageStartingWith("the object provided is unrecognized (must be of type Pod): couldn't get"
                        + " version/kind; json parse error: ")
                .hasMessageContaining(why);
    }

    @Test
    void yamlIsDecodedByTheSameRulesAsJson() throws Exception {
        byte[] body = """
                apiVersion: v1
                kind: Pod
                metadata: {name: a, name: b}
                spec:
                  containers:
                  - {name: c, image: i, imag: 5, ports: [{containerPort: 80}]}
                """.getBytes(StandardCharsets.UTF_8);
        DecodedObject decodedObject =
                decoder.decode(body, BodyFormat.YAML, POD, schemas.structOf(POD).orElseThrow());
        assertThat(decodedObject.problems())
                .containsExactly("duplicate field \"metadata.name\"", "unknown field \"spec.containers[0].imag\"");
        assertThat(decodedObject
                        .object()
                        .at("/spec/containers/0/ports/0/containerPort")
                        .asInt())
                .isEqualTo(80);
        byte[] broken = "metadata: {name: a\n".getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> decoder.decode(
                        broken, BodyFormat.YAML, POD, schemas.structOf(POD).orElseThrow()))
                .hasMessageContaining("yaml: line 1");
    }

    @Test
    void aJsonTreeIsDecodedByTheSameRulesAsABody() throws Exception {
        JsonNode tree =
                json(pod("'imagee': 'x', 'resources': {'limits': {'cpu': 2}}").replace('\'', '"'));
        DecodedObject decodedObject =
                decoder.decode(tree, POD, schemas.structOf(POD).orElseThrow());
        assertThat(decodedObject.problems()).containsExactly("unknown field \"spec.containers[0].imagee\"");
        assertThat(decodedObject
                        .object()
                        .at("/spec/containers/0/resources/limits/cpu")
                        .asText())
                .isEqualTo("2");
    }

    @Test
    void corruptBodiesCauseOnlyDecodingExceptions() {
        StructSchema struct = schemas.structOf(POD).orElseThrow();
        AtomicInteger rejected = new AtomicInteger();
        RandomSeeds.forEach(0, 2000, seed -> {
            Random random = new Random(seed);
            byte[] body =
                    new RandomObjects(seed % 100).object(POD, struct).toString().getBytes(StandardCharsets.UTF_8);
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                body[random.nextInt(body.length)] = (byte) random.nextInt();
            }
            BodyFormat format = seed % 4 == 0 ? BodyFormat.YAML : BodyFormat.JSON;
            try {
                assertThat(decoder.decode(body, format, POD, struct).object().get("kind"))
                        .isNotNull();
            } catch (DecodingException e) {
                rejected.incrementAndGet();
                assertThat(e.message()).isNotEmpty();
            }
        });
        RandomSeeds.checkOverAll(() -> assertThat(rejected.get()).isGreaterThan(500));
    }

    private DecodedObject decode(GroupVersionKind kind, String body) throws DecodingException {
        return decoder.decode(
                body.getBytes(StandardCharsets.UTF_8),
                BodyFormat.JSON,
                kind,
                schemas.structOf(kind).orElseThrow());
    }

    private static String pod(String member) {
        return ("{'apiVersion': 'v1', 'kind': 'Pod', 'metadata': {'name': 'a'},"
                        + " 'spec': {'containers': [{'name': 'c', 'image': 'i', " + member + "}]}}")
                .replace('\'', '"');
    }

    private static JsonNode json(String text) throws IOException {
        return JSON.readTree(text);
    }
}
