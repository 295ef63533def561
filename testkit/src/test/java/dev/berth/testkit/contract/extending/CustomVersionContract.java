package dev.berth.testkit.contract.extending;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.ApiWatch;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A kind of one's own in two versions, of which one is stored, with fields of its own to select by. */
public abstract class CustomVersionContract extends ApiServerContract {

    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

    private static final String GROUP = "river.example.com";

    /** The kind is defined once: to open its paths takes a real server seconds. */
    @BeforeEach
    void defineRafts() {
        if (api.get(DEFINITIONS + "/rafts." + GROUP).status() == 404) {
            api.post(DEFINITIONS, definition()).expect(201);
            Eventually.holds(() -> api.get("/apis/" + GROUP + "/v1/rafts").expect(200));
            Eventually.holds(() -> api.get("/apis/" + GROUP + "/v1beta1/rafts").expect(200));
        }
    }

    @Test
    void fieldsUnknownToTheStorageVersionAreDropped() {
        ApiResponse created = create("v1beta1", "ada", "{colour: blue, beta: x, length: 12345}")
                .expect(201);

        assertThat(created.json().path("spec")).isEqualTo(Manifests.yaml("{colour: blue, length: 12345}"));
        assertThat(api.get(rafts("v1", "/ada")).json().path("spec"))
                .isEqualTo(Manifests.yaml("{colour: blue, length: 12345, stored: s}"));
    }

    @Test
    void fieldsUnknownToTheServedVersionAreNotReturned() {
        create("v1", "ada", "{colour: red, stored: mine}").expect(201);

        assertThat(api.get(rafts("v1beta1", "/ada")).json().path("spec")).isEqualTo(Manifests.yaml("{colour: red}"));
        assertThat(api.get(rafts("v1beta1", "")).json().at("/items/0/spec")).isEqualTo(Manifests.yaml("{colour: red}"));
    }

    @Test
    void anUpdateThroughAnotherVersionDropsFieldsItDoesNotKnow() {
        create("v1", "ada", "{colour: red, stored: mine}").expect(201);

        ApiResponse patched = api.patch(
                        rafts("v1beta1", "/ada"), HttpApi.MERGE_PATCH, "{\"spec\":{\"colour\":\"green\"}}")
                .expect(200);

        assertThat(patched.header("Warning")).isEmpty();
        assertThat(patched.at("/apiVersion")).isEqualTo(GROUP + "/v1beta1");
        assertThat(api.get(rafts("v1", "/ada")).json().path("spec"))
                .isEqualTo(Manifests.yaml("{colour: green, stored: s}"));
    }

    @Test
    void objectsAreSelectedBySelectableFields() {
        create("v1", "ada", "{colour: red, length: 3, sunk: true}").expect(201);
        create("v1", "bob", "{colour: blue, length: 4}").expect(201);

        assertThat(select("spec.colour%3Dred").names()).containsExactly("ada");
        assertThat(select("spec.colour!%3Dred").names()).containsExactly("bob");
        assertThat(select("spec.length%3D4,metadata.name%3Dbob").names()).containsExactly("bob");
        assertThat(select("spec.sunk%3Dtrue").names()).containsExactly("ada");
        assertThat(select("spec.sunk%3D").names()).containsExactly("bob");
    }

    @Test
    void otherFieldsAndVersionsAreNotSelectable() {
        ApiResponse unknown = api.get(rafts("v1", "?fieldSelector=spec.stored%3Ds"));
        ApiResponse elsewhere = api.get(rafts("v1beta1", "?fieldSelector=spec.colour%3Dred"));

        assertThat(unknown.expectFailure(400, "BadRequest").message())
                .isEqualTo("field label not supported: spec.stored");
        assertThat(elsewhere.expectFailure(400, "BadRequest").message())
                .isEqualTo("field label not supported: spec.colour");
    }

    @Test
    void aWatchSeesObjectsEnterAndLeaveItsSelection() {
        String from = api.get(rafts("v1", "")).resourceVersion();
        try (ApiWatch watch = api.watch(rafts("v1", "?fieldSelector=spec.colour%3Dred&resourceVersion=" + from))) {
            create("v1", "ada", "{colour: blue}").expect(201);
            create("v1", "bob", "{colour: red}").expect(201);
            api.patch(rafts("v1", "/ada"), HttpApi.MERGE_PATCH, "{\"spec\":{\"colour\":\"red\"}}")
                    .expect(200);
            api.patch(rafts("v1", "/bob"), HttpApi.MERGE_PATCH, "{\"spec\":{\"colour\":\"blue\"}}")
                    .expect(200);

            assertThat(watch.next(3)).containsExactly("ADDED bob", "ADDED ada", "DELETED bob");
        }
    }

    @Test
    void aStrictPatchWithAnUnknownFieldIsInvalid() {
        create("v1", "ada", "{colour: red}").expect(201);

        ApiResponse refused =
                api.patch(rafts("v1", "/ada?fieldValidation=Strict"), HttpApi.MERGE_PATCH, "{\"spec\":{\"wings\":2}}");

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message())
                .startsWith(" \"\" is invalid: patch: Invalid value: \"{\\\"apiVersion\\\":\\\"" + GROUP + "/v1\\\"")
                .endsWith(": strict decoding error: unknown field \"spec.wings\"");
    }

    private ApiResponse select(String selector) {
        return api.get(rafts("v1", "?fieldSelector=" + selector)).expect(200);
    }

    private ApiResponse create(String version, String name, String spec) {
        return api.post(
                rafts(version, ""),
                Manifests.yaml("{apiVersion: %s/%s, kind: Raft, metadata: {name: %s}, spec: %s}"
                        .formatted(GROUP, version, name, spec)));
    }

    private String rafts(String version, String rest) {
        return testNamespace.path(GROUP + "/" + version, "rafts" + rest);
    }

    private static ObjectNode definition() {
        return Manifests.yaml("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata:
                  name: rafts.%1$s
                spec:
                  group: %1$s
                  scope: Namespaced
                  names: {kind: Raft, plural: rafts, singular: raft}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    selectableFields:
                    - {jsonPath: .spec.colour}
                    - {jsonPath: .spec.length}
                    - {jsonPath: .spec.sunk}
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec:
                            type: object
                            properties:
                              colour: {type: string}
                              length: {type: integer}
                              sunk: {type: boolean}
                              stored: {type: string, default: s}
                  - name: v1beta1
                    served: true
                    storage: false
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec:
                            type: object
                            properties:
                              colour: {type: string}
                              length: {type: integer}
                              beta: {type: string, default: b}
                """.formatted(GROUP));
    }
}
