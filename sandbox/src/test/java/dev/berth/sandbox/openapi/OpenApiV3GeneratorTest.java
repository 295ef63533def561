package dev.berth.sandbox.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apiextensions.CustomKind;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.KindSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenApiV3GeneratorTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final BuiltInSchemas schemas = BuiltInSchemas.load();
    private final OpenApiV3Generator openApi = new OpenApiV3Generator(schemas);
    private final OpenApiCatalog catalog = openApi.catalog(List.of());

    @Test
    void theIndexNamesADocumentWithItsHashForEveryGroupAndVersion() throws Exception {
        JsonNode paths = JSON.readTree(catalog.index()).get("paths");
        for (KindSchema kind : served()) {
            OpenApiDocument document = document(catalog, kind);
            assertThat(document.hash()).matches("[0-9A-F]{128}");
            assertThat(paths.get(pathOf(kind)).get("serverRelativeURL").asText())
                    .isEqualTo("/openapi/v3/" + pathOf(kind) + "?hash=" + document.hash());
        }
        assertThat(catalog.document("apis/nothing/v1")).isEmpty();
    }

    @Test
    void everyReferenceResolves() throws Exception {
        for (KindSchema kind : served()) {
            JsonNode document = read(document(catalog, kind));
            requireReferences(document, pathOf(kind));
        }
    }

    @Test
    void kubectlFindsFieldValidationAndStrategicPatchOnEveryKindThatIsPatched() throws Exception {
        for (KindSchema kind : served()) {
            JsonNode patch = patchOf(read(document(catalog, kind)), kind);
            assertThat(patch.get("parameters").findValuesAsText("name"))
                    .as("parameters of %s", kind)
                    .contains("fieldValidation", "dryRun");
            assertThat(patch.at("/requestBody/content").has("application/strategic-merge-patch+json"))
                    .as("patches of %s", kind)
                    .isTrue();
        }
    }

    @Test
    void everyKindIsFoundByItsNameAmongTheSchemas() throws Exception {
        for (KindSchema kind : served()) {
            JsonNode schema = read(document(catalog, kind))
                    .at("/components/schemas")
                    .get(kind.object().name());
            assertThat(schema.at("/x-kubernetes-group-version-kind/0"))
                    .as("%s", kind)
                    .isEqualTo(JSON.createObjectNode()
                            .put("group", kind.group())
                            .put("kind", kind.kind())
                            .put("version", kind.version()));
        }
    }

    @Test
    void aPodsSchemaHasWhatApplyAndExplainNeed() throws Exception {
        JsonNode schemas = read(catalog.document("api/v1").orElseThrow()).at("/components/schemas");
        JsonNode container = schemas.get("io.k8s.api.core.v1.Container");
        assertThat(container.get("required")).isEqualTo(JSON.readTree("[\"name\"]"));
        assertThat(container.at("/properties/ports")).isEqualTo(JSON.readTree("""
                {"type": "array", "items": {"$ref": "#/components/schemas/io.k8s.api.core.v1.ContainerPort"},
                 "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["containerPort", "protocol"],
                 "x-kubernetes-patch-merge-key": "containerPort", "x-kubernetes-patch-strategy": "merge"}"""));
        assertThat(container.at("/properties/imagePullPolicy")).isEqualTo(JSON.readTree("""
                {"type": "string", "enum": ["Always", "IfNotPresent", "Never"]}"""));
        assertThat(schemas.at("/io.k8s.api.core.v1.ResourceRequirements/properties/limits"))
                .isEqualTo(JSON.readTree("""
                        {"type": "object", "additionalProperties":
                         {"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity"}}"""));
        assertThat(schemas.at("/io.k8s.api.core.v1.Volume/properties").has("emptyDir"))
                .isTrue();
    }

    @Test
    void aPropertyWithRetainKeysHasItsPatchStrategyNextToTheReference() throws Exception {
        JsonNode strategy = read(catalog.document("apis/apps/v1").orElseThrow())
                .at("/components/schemas/io.k8s.api.apps.v1.DeploymentSpec/properties/strategy");
        assertThat(strategy).isEqualTo(JSON.readTree("""
                {"x-kubernetes-patch-strategy": "retainKeys",
                 "allOf": [{"$ref": "#/components/schemas/io.k8s.api.apps.v1.DeploymentStrategy"}]}"""));
    }

    @Test
    void subresourcesHaveTheirOwnKinds() throws Exception {
        JsonNode paths = read(catalog.document("api/v1").orElseThrow()).get("paths");
        String pod = "/api/v1/namespaces/{namespace}/pods/{name}";
        assertThat(paths.get(pod + "/eviction")
                        .at("/post/x-kubernetes-group-version-kind/group")
                        .asText())
                .isEqualTo("policy");
        assertThat(paths.get(pod + "/status").has("patch")).isTrue();
        assertThat(paths.get("/api/v1/nodes/{name}").has("delete")).isTrue();
        assertThat(paths.get("/api/v1/pods").has("get")).isTrue();
        assertThat(paths.has("/api/v1/namespaces/{namespace}/podtemplates")).isFalse();
    }

    @Test
    void aCustomKindIsShownInEachVersionItIsServedIn() throws Exception {
        OpenApiCatalog withThings = openApi.catalog(List.of(things("\"type\": \"string\"")));
        JsonNode document = read(withThings.document("apis/example.com/v1").orElseThrow());
        assertThat(withThings.document("apis/example.com/v2")).isEmpty();
        JsonNode thing = document.at("/components/schemas/com.example.v1.Thing");
        assertThat(thing.at("/properties/spec/properties/port/anyOf")).hasSize(2);
        assertThat(thing.at("/properties/metadata/$ref").asText()).endsWith("meta.v1.ObjectMeta");
        assertThat(thing.at("/x-kubernetes-group-version-kind/0/kind").asText()).isEqualTo("Thing");
        JsonNode patch = document.at("/paths/~1apis~1example.com~1v1~1namespaces~1{namespace}~1things~1{name}/patch");
        assertThat(patch.get("parameters").findValuesAsText("name")).contains("fieldValidation");
        assertThat(patch.at("/requestBody/content").has("application/strategic-merge-patch+json"))
                .isFalse();
        assertThat(document.get("paths").has("/apis/example.com/v1/namespaces/{namespace}/things/{name}/scale"))
                .isTrue();
        requireReferences(document, "the document of things");
    }

    @Test
    void differentSchemasHaveDifferentHashesAndEqualSchemasEqualHashes() throws Exception {
        String before = hash(things("\"type\": \"string\""));
        assertThat(hash(things("\"type\": \"string\""))).isEqualTo(before);
        assertThat(hash(things("\"type\": \"integer\""))).isNotEqualTo(before);
    }

    @Test
    void theV2DocumentHasNoDefinitions() throws Exception {
        assertThat(JSON.readTree(OpenApiV2.json()).get("swagger").asText()).isEqualTo("2.0");
        assertThat(OpenApiV2.protobuf())
                .startsWith(10, 3, '2', '.', '0', 18, 19, 10, 10, 'K')
                .endsWith('3', '6', 66, 0, 74, 0);
    }

    private String hash(CustomKind kind) {
        return openApi.catalog(List.of(kind))
                .document("apis/example.com/v1")
                .orElseThrow()
                .hash();
    }

    private static CustomKind things(String nameType) throws IOException {
        return CustomKind.from((ObjectNode) JSON.readTree("""
                {"spec": {"group": "example.com", "scope": "Namespaced",
                 "names": {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
                 "versions": [
                  {"name": "v1", "served": true, "storage": true,
                   "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"}},
                   "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", "properties": {
                    "name": {%s}, "port": {"x-kubernetes-int-or-string": true}}}}}}},
                  {"name": "v2", "served": false, "storage": false}]}}""".formatted(nameType)));
    }

    private List<KindSchema> served() {
        return schemas.kinds().stream().filter(KindSchema::isServed).toList();
    }

    private static String pathOf(KindSchema kind) {
        return (kind.group().isEmpty() ? "api/" : "apis/") + kind.gvk().apiVersion();
    }

    private static OpenApiDocument document(OpenApiCatalog catalog, KindSchema kind) {
        return catalog.document(pathOf(kind)).orElseThrow();
    }

    private static void requireReferences(JsonNode document, String where) {
        for (String reference : document.findValuesAsText("$ref")) {
            // JSON schemas have a property of this name.
            if (reference.startsWith("#")) {
                assertThat(document.at(reference.substring(1)).isMissingNode())
                        .as("%s in %s", reference, where)
                        .isFalse();
            }
        }
    }

    private static JsonNode patchOf(JsonNode document, KindSchema kind) {
        List<JsonNode> patches = new ArrayList<>();
        for (JsonNode path : document.get("paths")) {
            JsonNode gvk = path.at("/patch/x-kubernetes-group-version-kind");
            if (gvk.path("kind").asText().equals(kind.kind())
                    && gvk.path("group").asText().equals(kind.group())) {
                patches.add(path.get("patch"));
            }
        }
        assertThat(patches).as("patches of %s", kind).isNotEmpty();
        return patches.get(0);
    }

    private static JsonNode read(OpenApiDocument document) throws IOException {
        return JSON.readTree(document.json());
    }
}
