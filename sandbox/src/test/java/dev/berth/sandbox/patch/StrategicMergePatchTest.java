package dev.berth.sandbox.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.StructSchema;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrategicMergePatchTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DEPLOYMENT = """
            {'metadata': {'name': 'web', 'labels': {'a': '1'}, 'finalizers': ['x', 'y']},
             'spec': {'replicas': 2, 'strategy': {'type': 'RollingUpdate', 'rollingUpdate': {'maxSurge': 1}},
              'template': {'spec': {'containers': [
               {'name': 'web', 'image': 'nginx:1', 'env': [{'name': 'A', 'value': '1'}, {'name': 'B', 'value': '2'}],
                'ports': [{'containerPort': 80, 'protocol': 'TCP'}, {'containerPort': 81, 'protocol': 'UDP'}]},
               {'name': 'side', 'image': 'busybox'}]}}}}""";

    private final BuiltInSchemas schemas = BuiltInSchemas.load();

    /** Each line: apiVersion, kind, object, patch, and what apimachinery 0.36.4 makes of the two. */
    @Test
    void patchesOfAllSortsGiveWhatTheRealServerMakesOfThem() throws Exception {
        List<String> lines;
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("real-patches.tsv"))) {
            lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        }
        assertThat(lines).hasSizeGreaterThan(70);
        for (String line : lines) {
            List<String> parts = List.of(line.split("\t", 5));
            StructSchema struct = schemas.structOf(GroupVersionKind.of(parts.get(0), parts.get(1)))
                    .orElseThrow();
            JsonNode result = StrategicMergePatch.apply(object(parts.get(2)), json(parts.get(3)), struct);
            assertThat(result).as("%s of %s", parts.get(3), parts.get(2)).isEqualTo(json(parts.get(4)));
        }
    }

    @Test
    void theSecondApplyMergesContainersByNameAndDropsWhatWentAway() throws Exception {
        ObjectNode result = patchDeployment("""
                {'spec': {'replicas': 3, 'template': {'spec': {
                 '$setElementOrder/containers': [{'name': 'web'}, {'name': 'side2'}],
                 'containers': [{'$setElementOrder/env': [{'name': 'B'}], 'env': [{'$patch': 'delete', 'name': 'A'}],
                                 'image': 'nginx:2', 'name': 'web'},
                                {'image': 'busybox', 'name': 'side2'}, {'$patch': 'delete', 'name': 'side'}]}}}}""");
        assertThat(result.at("/spec/replicas").asInt()).isEqualTo(3);
        assertThat(result.at("/spec/template/spec/containers")).isEqualTo(json("""
                [{'name': 'web', 'image': 'nginx:2', 'env': [{'name': 'B', 'value': '2'}],
                  'ports': [{'containerPort': 80, 'protocol': 'TCP'}, {'containerPort': 81, 'protocol': 'UDP'}]},
                 {'name': 'side2', 'image': 'busybox'}]"""));
    }

    @Test
    void setImageChangesOneContainerAndKeepsTheOrder() throws Exception {
        ObjectNode result = patchDeployment("""
                {'spec': {'template': {'spec': {'$setElementOrder/containers': [{'name': 'web'}, {'name': 'side'}],
                 'containers': [{'image': 'busybox:2', 'name': 'side'}]}}}}""");
        assertThat(result.at("/spec/template/spec/containers").findValuesAsText("image"))
                .containsExactly("nginx:1", "busybox:2");
        assertThat(result.at("/spec/template/spec/containers/0/env")).hasSize(2);
    }

    @Test
    void rolloutRestartAddsAnAnnotationWhereThereWasNoMetadata() throws Exception {
        ObjectNode result = patchDeployment("""
                {'spec': {'template': {'metadata': {'annotations': {'kubectl.kubernetes.io/restartedAt': 'now'}}}}}""");
        assertThat(result.at("/spec/template/metadata")).isEqualTo(json("""
                {'annotations': {'kubectl.kubernetes.io/restartedAt': 'now'}}"""));
    }

    @Test
    void taintsAreReplacedAndCordonSetsOneFlag() throws Exception {
        ObjectNode node = object("{'spec': {'taints': [{'key': 'a', 'effect': 'NoSchedule'}], 'podCIDR': 'c'}}");
        StructSchema struct =
                schemas.structOf(GroupVersionKind.of("v1", "Node")).orElseThrow();
        ObjectNode tainted = StrategicMergePatch.apply(
                node, json("{'spec': {'taints': [{'key': 'b', 'effect': 'NoExecute'}]}}"), struct);
        assertThat(tainted.at("/spec/taints")).isEqualTo(json("[{'key': 'b', 'effect': 'NoExecute'}]"));
        ObjectNode cordoned = StrategicMergePatch.apply(node, json("{'spec': {'unschedulable': true}}"), struct);
        assertThat(cordoned.at("/spec/unschedulable").asBoolean()).isTrue();
        ObjectNode uncordoned = StrategicMergePatch.apply(cordoned, json("{'spec': {'unschedulable': null}}"), struct);
        assertThat(uncordoned).isEqualTo(node);
    }

    @Test
    void portsAreMergedByNumberAloneAsInTheRealServer() throws Exception {
        ObjectNode result = patchDeployment("""
                {'spec': {'template': {'spec': {'containers': [{'name': 'web',
                 'ports': [{'containerPort': 80, 'protocol': 'UDP', 'name': 'dns'}]}]}}}}""");
        assertThat(result.at("/spec/template/spec/containers/0/ports")).isEqualTo(json("""
                [{'containerPort': 80, 'protocol': 'UDP', 'name': 'dns'}, {'containerPort': 81, 'protocol': 'UDP'}]"""));
    }

    @Test
    void statusConditionsMergeByTheirType() throws Exception {
        StructSchema struct = schemas.structOf(GroupVersionKind.of("v1", "Pod")).orElseThrow();
        ObjectNode pod = object(
                "{'status': {'conditions': [{'type': 'Ready', 'status': 'False'}, {'type': 'X', 'status': 'True'}]}}");
        ObjectNode result = StrategicMergePatch.apply(
                pod,
                json(
                        "{'status': {'conditions': [{'type': 'PodScheduled', 'status': 'False'}, {'type': 'Ready', 'status': 'True'}]}}"),
                struct);
        assertThat(result.at("/status/conditions")).isEqualTo(json("""
                [{'type': 'PodScheduled', 'status': 'False'}, {'type': 'Ready', 'status': 'True'}, {'type': 'X', 'status': 'True'}]"""));
    }

    @Test
    void fieldsThatTheSchemaDoesNotDescribeAreMergedAsPlainJson() throws Exception {
        StructSchema struct = schemas.structOf(GroupVersionKind.of("apps/v1", "ControllerRevision"))
                .orElseThrow();
        ObjectNode result = StrategicMergePatch.apply(
                object("{'data': {'a': {'b': 1, 'c': 2}, 'l': [1]}}"),
                json("{'data': {'a': {'b': null}, 'l': [2]}}"),
                struct);
        assertThat(result).isEqualTo(json("{'data': {'a': {'c': 2}, 'l': [2]}}"));
    }

    @Test
    void neitherArgumentIsChanged() throws Exception {
        ObjectNode original = object(DEPLOYMENT);
        JsonNode patch = json("{'metadata': {'$deleteFromPrimitiveList/finalizers': ['x'], 'labels': {'a': null}}}");
        JsonNode patchBefore = patch.deepCopy();
        StrategicMergePatch.apply(original, patch, deployment());
        assertThat(original).isEqualTo(json(DEPLOYMENT));
        assertThat(patch).isEqualTo(patchBefore);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'metadata': {'$patch': 'merge'}} | unknown patch type found: merge",
                "{'spec': {'template': {'spec': {'containers': [{'image': 'x'}]}}}} | does not contain declared merge key: name",
                "{'spec': {'template': {'spec': {'containers': [{'$patch': 'delete'}]}}}} | does not contain declared merge key: name",
                "{'spec': {'template': {'spec': {'containers': [{'$patch': 'merge', 'name': 'web'}]}}}} | unknown patch type found",
                "{'spec': {'strategy': {'$retainKeys': ['x'], 'type': 'Recreate'}}} | invalid patch format of retainKeys",
                "{'spec': {'strategy': {'$retainKeys': 'x'}}} | invalid patch format of retainKeys",
                "{'metadata': {'$deleteFromPrimitiveList': ['x']}} | names no field",
                "{'metadata': {'$deleteFromPrimitiveList/finalizers': 'x'}} | is not a list",
                "{'metadata': {'$setElementOrder/finalizers': 'x'}} | is not a list",
                "{'metadata': {'$setElementOrder': ['x']}} | names no field",
                "{'metadata': {'$setElementOrder/labels': ['x']}} | field (labels) is not a list",
                "{'metadata': {'$setElementOrder/finalizers': ['y', 'x'], 'finalizers': ['z']}} | doesn't match $setElementOrder",
                "{'spec': {'template': {'spec': {'containers': ['x']}}}} | list element types are not identical",
                "{'spec': {'template': {'spec': {'containers': [['x']]}}}} | list element types are not identical",
                "{'metadata': {'finalizers': ['x', 1]}} | list element types are not identical",
                "[] | a strategic merge patch is an object"
            })
    void anInvalidPatchIsRejectedWithTheReason(String patch, String why) {
        assertThatThrownBy(() -> patchDeployment(patch))
                .isInstanceOf(PatchException.class)
                .hasMessageContaining(why);
    }

    private ObjectNode patchDeployment(String patch) throws IOException, PatchException {
        return StrategicMergePatch.apply(object(DEPLOYMENT), json(patch), deployment());
    }

    private StructSchema deployment() {
        return schemas.structOf(GroupVersionKind.of("apps/v1", "Deployment")).orElseThrow();
    }

    private static ObjectNode object(String text) throws IOException {
        return (ObjectNode) json(text);
    }

    private static JsonNode json(String text) throws IOException {
        return JSON.readTree(text.startsWith("{\"") ? text : text.replace('\'', '"'));
    }
}
