package dev.berth.testkit.contract.extending;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiRequest;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.ApiWatch;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Kinds of one's own: validated, filled in, pruned, printed, watched like any other. */
public abstract class CustomResourceContract extends ApiServerContract {

    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    private static final String GROUP = "harbour.example.com";

    /** The kind is defined once: to open its paths takes a real server seconds. */
    @BeforeEach
    void defineBoats() {
        if (api.get(DEFINITIONS + "/boats." + GROUP).status() == 404) {
            api.post(DEFINITIONS, Boats.definition(GROUP)).expect(201);
            awaitServed(GROUP);
        }
    }

    @Test
    void aDefinitionIsEstablished() {
        ApiResponse definition = api.get(DEFINITIONS + "/boats." + GROUP).expect(200);

        assertThat(definition.json().at("/status/conditions").findValuesAsText("type"))
                .contains("NamesAccepted", "Established");
        assertThat(definition.at("/status/acceptedNames/kind")).isEqualTo("Boat");
        assertThat(definition.at("/status/acceptedNames/listKind")).isEqualTo("BoatList");
        assertThat(definition.at("/status/storedVersions/0")).isEqualTo("v1");
    }

    @Test
    void aNewKindIsDiscovered() {
        Eventually.holds(() -> {
            ApiResponse resources = api.get("/apis/" + GROUP + "/v1").expect(200);
            assertThat(resources.json().path("resources").findValuesAsText("name"))
                    .contains("boats", "boats/status", "boats/scale");
            assertThat(resources.at("/resources/0/shortNames/0")).isEqualTo("bo");
        });
    }

    @Test
    void aCustomObjectIsCreatedListedAndRead() {
        ApiResponse created = create("ada", "{length: 12}").expect(201);

        assertThat(created.at("/apiVersion")).isEqualTo(GROUP + "/v1");
        assertThat(created.at("/kind")).isEqualTo("Boat");
        assertThat(created.at("/metadata/generation")).isEqualTo("1");
        ApiResponse list = api.get(boats("")).expect(200);
        assertThat(list.at("/kind")).isEqualTo("BoatList");
        assertThat(list.at("/items/0/kind")).isEqualTo("Boat");
        assertThat(list.names()).containsExactly("ada");
    }

    @Test
    void defaultsAreFilledIn() {
        ApiResponse created = create("ada", "{length: 12}").expect(201);

        assertThat(created.at("/spec/colour")).isEqualTo("white");
        assertThat(created.at("/spec/crew/size")).isEqualTo("1");
    }

    @Test
    void unknownFieldsArePruned() {
        ApiResponse created = create("ada", "{length: 12, wings: 2, cargo: {anything: [goes]}}")
                .expect(201);

        assertThat(created.json().path("spec").has("wings")).isFalse();
        assertThat(created.json().at("/spec/cargo/anything/0").asText()).isEqualTo("goes");
        assertThat(created.header("Warning")).containsExactly("299 - \"unknown field \\\"spec.wings\\\"\"");
    }

    @Test
    void unknownFieldsAreRejectedByStrictValidation() {
        ApiResponse refused =
                api.post(boats("?fieldValidation=Strict"), Boats.boat(GROUP, "ada", "{length: 12, wings: 2}"));

        refused.expectFailure(400, "BadRequest");
        assertThat(refused.message()).contains("strict decoding error: unknown field \"spec.wings\"");
    }

    @Test
    void everySchemaViolationIsReported() {
        ApiResponse refused = create("ada", "{length: 0, colour: grey, name: 'No', crew: {size: many}}");

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message())
                .startsWith("Boat.%s \"ada\" is invalid: [".formatted(GROUP))
                .contains("spec.length: Invalid value: 0: spec.length in body should be greater than or equal to 1")
                .contains("spec.colour: Unsupported value: \"grey\": supported values: \"white\", \"red\"")
                .contains("spec.name: Invalid value: \"No\": spec.name in body should match '^[a-z]+$'")
                .contains(
                        "spec.crew.size: Invalid value: \"string\": spec.crew.size in body must be of type integer: \"string\"");
    }

    @Test
    void aMissingRequiredFieldIsReported() {
        ApiResponse refused = create("ada", "{colour: red}");

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message())
                .isEqualTo("Boat.%s \"ada\" is invalid: spec.length: Required value".formatted(GROUP));
    }

    @Test
    void intOrStringFieldsAcceptBoth() {
        create("ada", "{length: 12, draught: 2}").expect(201);
        ApiResponse text = create("bob", "{length: 12, draught: 2m}").expect(201);

        assertThat(text.at("/spec/draught")).isEqualTo("2m");
        create("cid", "{length: 12, draught: [2]}").expectFailure(422, "Invalid");
    }

    @Test
    void theStatusSubresourceIsSeparate() {
        ObjectNode boat = Boats.boat(GROUP, "ada", "{length: 12}");
        boat.set("status", Manifests.yaml("{phase: Sunk}"));
        ApiResponse created = api.post(boats(""), boat).expect(201);
        ApiResponse status = api.patch(
                        boats("/ada/status"),
                        HttpApi.MERGE_PATCH,
                        "{\"spec\":{\"length\":99},\"status\":{\"phase\":\"Afloat\"}}")
                .expect(200);
        ApiResponse spec = api.patch(
                        boats("/ada"),
                        HttpApi.MERGE_PATCH,
                        "{\"spec\":{\"length\":13},\"status\":{\"phase\":\"Sunk\"}}")
                .expect(200);

        assertThat(created.json().has("status")).isFalse();
        assertThat(status.at("/status/phase")).isEqualTo("Afloat");
        assertThat(status.at("/spec/length")).isEqualTo("12");
        assertThat(status.at("/metadata/generation")).isEqualTo("1");
        assertThat(spec.at("/status/phase")).isEqualTo("Afloat");
        assertThat(spec.at("/metadata/generation")).isEqualTo("2");
    }

    @Test
    void theScaleSubresourceUsesTheConfiguredPaths() {
        create("ada", "{length: 12, crew: {size: 3}}").expect(201);

        ApiResponse scale = api.get(boats("/ada/scale")).expect(200);
        api.patch(boats("/ada/scale"), HttpApi.MERGE_PATCH, "{\"spec\":{\"replicas\":7}}")
                .expect(200);

        assertThat(scale.at("/kind")).isEqualTo("Scale");
        assertThat(scale.at("/spec/replicas")).isEqualTo("3");
        assertThat(api.get(boats("/ada")).at("/spec/crew/size")).isEqualTo("7");
    }

    @Test
    void tablesUseTheAdditionalPrinterColumns() {
        create("ada", "{length: 12}").expect(201);
        ApiResponse table = api.send(ApiRequest.of("GET", boats(""))
                        .accepting("application/json;as=Table;v=v1;g=meta.k8s.io,application/json"))
                .expect(200);

        assertThat(table.json().path("columnDefinitions").findValuesAsText("name"))
                .containsExactly("Name", "Length", "Phase", "Age", "Colour");
        assertThat(table.at("/columnDefinitions/4/priority")).isEqualTo("1");
        assertThat(table.at("/rows/0/cells/0")).isEqualTo("ada");
        assertThat(table.at("/rows/0/cells/1")).isEqualTo("12");
        assertThat(table.at("/rows/0/cells/4")).isEqualTo("white");
    }

    @Test
    void customObjectsAreWatched() {
        String from = api.get(boats("")).resourceVersion();
        try (ApiWatch watch = api.watch(boats("?resourceVersion=" + from))) {
            create("ada", "{length: 12}").expect(201);
            api.delete(boats("/ada")).expect(200);

            assertThat(watch.next(2)).containsExactly("ADDED ada", "DELETED ada");
        }
    }

    @Test
    void aStaleUpdateOfACustomObjectConflicts() {
        ApiResponse created = create("ada", "{length: 12}").expect(201);
        api.put(boats("/ada"), longer(created, 13)).expect(200);

        api.put(boats("/ada"), longer(created, 14)).expectFailure(409, "Conflict");
    }

    @Test
    void anUpdateWithoutAResourceVersionIsRejected() {
        create("ada", "{length: 12}").expect(201);

        ApiResponse refused = api.put(boats("/ada"), Boats.boat(GROUP, "ada", "{length: 13}"));

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message())
                .contains("metadata.resourceVersion: Invalid value:", "must be specified for an update");
    }

    @Test
    void aStrategicMergePatchOfACustomObjectIsRejected() {
        create("ada", "{length: 12}").expect(201);

        api.patch(boats("/ada"), HttpApi.STRATEGIC_PATCH, "{}").expectFailure(415, "UnsupportedMediaType");
    }

    @Test
    void customObjectsAreAlsoFoundOverAllNamespacesByLabel() {
        ObjectNode boat = Boats.boat(GROUP, "ada", "{length: 12}");
        ((ObjectNode) boat.path("metadata")).set("labels", Manifests.yaml("{of: me}"));
        api.post(boats(""), boat).expect(201);
        create("bob", "{length: 12}").expect(201);

        assertThat(api.get("/apis/" + GROUP + "/v1/boats?labelSelector=of%3Dme")
                        .expect(200)
                        .names())
                .containsExactly("ada");
    }

    @Test
    void deletingADefinitionDeletesItsObjects() {
        String group = testNamespace.uniqueName("dry") + ".example.com";
        String boats = testNamespace.path(group + "/v1", "boats");
        api.post(DEFINITIONS, Boats.definition(group)).expect(201);
        awaitServed(group);
        api.post(boats, Boats.boat(group, "ada", "{length: 12}")).expect(201);

        api.delete(DEFINITIONS + "/boats." + group).expect(200);

        Eventually.holds(() -> api.get(DEFINITIONS + "/boats." + group).expect(404));
        Eventually.holds(() -> api.get(boats).expect(404));
        testNamespace.create(DEFINITIONS, Boats.definition(group));
        awaitServed(group);
        assertThat(api.get(boats).expect(200).names()).isEmpty();
    }

    @Test
    void aDefinitionMustBeNamedByPluralAndGroup() {
        ObjectNode wrong = Boats.definition(GROUP);
        ((ObjectNode) wrong.path("metadata")).put("name", "ships." + GROUP);

        ApiResponse refused = api.post(DEFINITIONS, wrong);

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message())
                .contains("metadata.name: Invalid value: \"ships.%s\": must be spec.names.plural+\".\"+spec.group"
                        .formatted(GROUP));
    }

    private void awaitServed(String group) {
        Eventually.holds(() -> assertThat(condition(group, "Established")).isEqualTo("True"));
        // The new kind's paths are opened a moment after it is established.
        Eventually.holds(() -> api.get("/apis/%s/v1/boats".formatted(group)).expect(200));
    }

    private String condition(String group, String type) {
        ApiResponse definition = api.get(DEFINITIONS + "/boats." + group).expect(200);
        return StreamSupport.stream(definition.json().at("/status/conditions").spliterator(), false)
                .filter(condition -> condition.path("type").asText().equals(type))
                .map(condition -> condition.path("status").asText())
                .findFirst()
                .orElse("missing");
    }

    private ApiResponse create(String name, String spec) {
        return api.post(boats(""), Boats.boat(GROUP, name, spec));
    }

    private String boats(String rest) {
        return testNamespace.path(GROUP + "/v1", "boats" + rest);
    }

    private static ObjectNode longer(ApiResponse boat, int length) {
        ObjectNode changed = (ObjectNode) boat.json();
        ((ObjectNode) changed.path("spec")).put("length", length);
        return changed;
    }
}
