package dev.berth.embedded.rest.extra;

import static dev.berth.embedded.InProcess.message;
import static dev.berth.embedded.InProcess.ok;
import static dev.berth.embedded.InProcess.refused;
import static dev.berth.embedded.InProcess.told;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.InProcess;
import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.WatchStream;
import dev.berth.embedded.store.Meta;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CustomKindsTest {

    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";
    private static final String SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";

    private final InProcess api = new InProcess();

    @Test
    void aDefinedKindIsServedAtOnce() {
        define("example.com", "widgets", "Widget");

        ObjectNode definition = ok(api.get(DEFINITIONS + "/widgets.example.com"));
        assertThat(definition.at("/status/conditions/1/type").asText()).isEqualTo("Established");
        assertThat(definition.at("/status/conditions/1/status").asText()).isEqualTo("True");
        assertThat(definition.at("/status/storedVersions/0").asText()).isEqualTo("v1");
        ObjectNode widget = create("w", "");
        assertThat(widget.path("kind").asText()).isEqualTo("Widget");
        assertThat(Meta.generation(widget)).isEqualTo(1);
        assertThat(ok(api.get(WIDGETS)).path("kind").asText()).isEqualTo("WidgetList");
        assertThat(ok(api.get("/apis/example.com/v1")).at("/resources/0/name").asText())
                .isEqualTo("widgets");
        refused(404, api.get("/apis/example.com/v2/widgets"));
    }

    @Test
    void rulesThatNobodyEvaluatesAreToldWhenTheyAreWritten() {
        String warned = """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: widgets.example.com}
                spec:
                  group: example.com
                  names: {plural: widgets, kind: Widget}
                  scope: Namespaced
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec:
                            type: object
                            x-kubernetes-validations: [{rule: self.size < 3}]
                            properties:
                              size: {type: integer}
                              parts:
                                type: array
                                items: {type: string, x-kubernetes-validations: [{rule: self != ""}]}
                """;
        String end = ": CEL rules are not evaluated by this server, so objects that break them are accepted";
        String at = "spec.versions[0].schema.openAPIV3Schema.properties[spec].";

        Answer created = api.post(DEFINITIONS, warned);
        Answer patched = api.patch(
                DEFINITIONS + "/widgets.example.com", "merge-patch+json", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");

        ok(created);
        ok(patched);
        assertThat(created.warnings())
                .containsExactly(
                        at + "x-kubernetes-validations" + end,
                        at + "properties[parts].items.x-kubernetes-validations" + end);
        assertThat(patched.warnings()).isEqualTo(created.warnings());
    }

    @Test
    void anUpdateNeedsAVersion() {
        define("example.com", "widgets", "Widget");
        ObjectNode widget = create("w", "").deepCopy();
        Meta.of(widget).remove("resourceVersion");

        assertThat(message(refused(422, api.put(WIDGETS + "/w", widget))))
                .isEqualTo("widgets.example.com \"w\" is invalid: metadata.resourceVersion: Invalid value: 0: must be"
                        + " specified for an update");
    }

    @Test
    void specAndStatusAreWrittenApart() {
        define("example.com", "widgets", "Widget");
        create("w", "");

        ObjectNode spec = ok(api.patch(
                WIDGETS + "/w", "merge-patch+json", "{\"spec\":{\"replicas\":3},\"status\":{\"replicas\":9}}"));
        assertThat(spec.at("/spec/replicas").asInt()).isEqualTo(3);
        assertThat(spec.has("status")).isFalse();
        assertThat(Meta.generation(spec)).isEqualTo(2);

        ObjectNode status = ok(api.patch(
                WIDGETS + "/w/status",
                "merge-patch+json",
                "{\"metadata\":{\"labels\":{\"a\":\"b\"}},\"spec\":{\"replicas\":7},\"status\":{\"replicas\":9}}"));
        assertThat(status.at("/spec/replicas").asInt()).isEqualTo(3);
        assertThat(status.at("/status/replicas").asInt()).isEqualTo(9);
        assertThat(Meta.labels(status)).isEmpty();
        assertThat(Meta.generation(status)).isEqualTo(2);
    }

    @Test
    void aCustomKindScales() {
        define("example.com", "widgets", "Widget");
        create("w", "");

        ok(api.patch(WIDGETS + "/w/scale", "merge-patch+json", "{\"spec\":{\"replicas\":4}}"));

        assertThat(ok(api.get(WIDGETS + "/w")).at("/spec/replicas").asInt()).isEqualTo(4);
    }

    @Test
    void aDefinitionTakesItsObjectsWithIt() {
        define("example.com", "widgets", "Widget");
        ObjectNode widget = create("w", "");
        WatchStream watch = api.watch(WIDGETS + "?watch=true&resourceVersion=" + Meta.resourceVersion(widget));

        ok(api.delete(DEFINITIONS + "/widgets.example.com"));

        assertThat(told(watch)).containsExactly("DELETED w");
        refused(404, api.get(DEFINITIONS + "/widgets.example.com"));
        refused(404, api.get(WIDGETS));
        refused(404, api.get(SERVICES + "/v1.example.com"));
    }

    @Test
    void aDefinitionWaitsForObjectsThatWait() {
        define("example.com", "widgets", "Widget");
        create("w", "finalizers: [example.com/keep]");

        ok(api.delete(DEFINITIONS + "/widgets.example.com"));

        assertThat(Meta.finalizers(ok(api.get(DEFINITIONS + "/widgets.example.com"))))
                .containsExactly("customresourcecleanup.apiextensions.k8s.io");
        refused(405, api.post(WIDGETS, widget("other", "")));
        ok(api.patch(WIDGETS + "/w", "merge-patch+json", "{\"metadata\":{\"finalizers\":null}}"));
        refused(404, api.get(DEFINITIONS + "/widgets.example.com"));
    }

    @Test
    void aNameThatIsTakenIsNotAccepted() {
        define("example.com", "widgets", "Widget");
        define("example.com", "gadgets", "Widget");

        ObjectNode second = ok(api.get(DEFINITIONS + "/gadgets.example.com"));
        assertThat(second.at("/status/conditions/0/status").asText()).isEqualTo("False");
        assertThat(second.at("/status/conditions/0/message").asText()).isEqualTo("\"WidgetList\" is already in use");
        refused(404, api.get("/apis/example.com/v1/gadgets"));
    }

    @Test
    void anApiServiceOfOnesOwnDecidesTheOrder() {
        ok(api.post(SERVICES, """
                metadata: {name: v1.b.example.com}
                spec: {group: b.example.com, version: v1, groupPriorityMinimum: 2000, versionPriority: 100}
                """));
        define("a.example.com", "widgets", "Widget");
        define("b.example.com", "widgets", "Widget");

        List<String> groups = groups();
        assertThat(groups.indexOf("b.example.com")).isLessThan(groups.indexOf("a.example.com"));
        assertThat(ok(api.get(SERVICES + "/v1.a.example.com"))
                        .at("/spec/groupPriorityMinimum")
                        .asInt())
                .isEqualTo(1000);
    }

    @Test
    void aManagedApiServiceIsPutRight() {
        define("a.example.com", "widgets", "Widget");

        ok(api.patch(SERVICES + "/v1.a.example.com", "merge-patch+json", "{\"spec\":{\"groupPriorityMinimum\":5}}"));

        assertThat(ok(api.get(SERVICES + "/v1.a.example.com"))
                        .at("/spec/groupPriorityMinimum")
                        .asInt())
                .isEqualTo(1000);
    }

    @Test
    void aServiceGetsAnAddressNobodyHas() {
        String services = "/api/v1/namespaces/default/services";
        String plain = "{metadata: {name: %s}, spec: {ports: [{port: 80}]%s}}";

        assertThat(ok(api.post(services, plain.formatted("a", "")))
                        .at("/spec/clusterIP")
                        .asText())
                .isEqualTo("10.96.0.2");
        assertThat(ok(api.post(services, plain.formatted("b", "")))
                        .at("/spec/clusterIP")
                        .asText())
                .isEqualTo("10.96.0.3");
        assertThat(ok(api.post(services, plain.formatted("c", ", type: NodePort")))
                        .at("/spec/ports/0/nodePort")
                        .asInt())
                .isEqualTo(30_000);
        assertThat(message(refused(422, api.post(services, plain.formatted("d", ", clusterIP: 10.96.0.2")))))
                .contains("failed to allocate IP 10.96.0.2: provided IP is already allocated");
    }

    private List<String> groups() {
        List<String> names = new ArrayList<>();
        for (JsonNode group : ok(api.get("/apis")).path("groups")) {
            names.add(group.path("name").asText());
        }
        return names;
    }

    private void define(String group, String plural, String kind) {
        ok(api.post(DEFINITIONS, """
                metadata: {name: %s.%s}
                spec:
                  group: %s
                  scope: Namespaced
                  names: {plural: %s, singular: %s, kind: %s, listKind: %sList}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
                    schema:
                      openAPIV3Schema:
                        type: object
                        x-kubernetes-preserve-unknown-fields: true
                """.formatted(
                        plural, group, group, plural, plural.substring(0, plural.length() - 1), kind, kind)));
    }

    private ObjectNode create(String name, String metadata) {
        return ok(api.post(WIDGETS, widget(name, metadata)));
    }

    private static String widget(String name, String metadata) {
        return """
                apiVersion: example.com/v1
                kind: Widget
                metadata: {name: %s, %s}
                spec: {replicas: 1}
                """.formatted(name, metadata);
    }
}
