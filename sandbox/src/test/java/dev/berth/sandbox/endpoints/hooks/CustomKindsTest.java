package dev.berth.sandbox.endpoints.hooks;

import static dev.berth.sandbox.InProcessServer.eventSummaries;
import static dev.berth.sandbox.InProcessServer.message;
import static dev.berth.sandbox.InProcessServer.ok;
import static dev.berth.sandbox.InProcessServer.refused;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.InProcessServer;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.WatchResponse;
import dev.berth.sandbox.storage.ObjectMetaEditor;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CustomKindsTest {

    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String WIDGETS = "/apis/example.com/v1/namespaces/default/widgets";
    private static final String SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";

    private final InProcessServer api = new InProcessServer();

    @Test
    void aDefinedKindIsServedAtOnce() {
        define("example.com", "widgets", "Widget");

        ObjectNode definition = ok(api.get(DEFINITIONS + "/widgets.example.com"));
        assertThat(definition.at("/status/conditions/1/type").asText()).isEqualTo("Established");
        assertThat(definition.at("/status/conditions/1/status").asText()).isEqualTo("True");
        assertThat(definition.at("/status/storedVersions/0").asText()).isEqualTo("v1");
        ObjectNode widget = create("w", "");
        assertThat(widget.path("kind").asText()).isEqualTo("Widget");
        assertThat(ObjectMetaReader.generation(widget)).isEqualTo(1);
        assertThat(ok(api.get(WIDGETS)).path("kind").asText()).isEqualTo("WidgetList");
        assertThat(ok(api.get("/apis/example.com/v1")).at("/resources/0/name").asText())
                .isEqualTo("widgets");
        refused(404, api.get("/apis/example.com/v2/widgets"));
    }

    @Test
    void unevaluatedCelRulesCauseAWarning() {
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

        BodyResponse created = api.post(DEFINITIONS, warned);
        BodyResponse patched = api.patch(
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
    void anUpdateWithoutResourceVersionIsRejected() {
        define("example.com", "widgets", "Widget");
        ObjectNode widget = create("w", "").deepCopy();
        ObjectMetaEditor.mutableMetadata(widget).remove("resourceVersion");

        assertThat(message(refused(422, api.put(WIDGETS + "/w", widget))))
                .isEqualTo("widgets.example.com \"w\" is invalid: metadata.resourceVersion: Invalid value: 0: must be"
                        + " specified for an update");
    }

    @Test
    void specAndStatusAreWrittenSeparately() {
        define("example.com", "widgets", "Widget");
        create("w", "");

        ObjectNode spec = ok(api.patch(
                WIDGETS + "/w", "merge-patch+json", "{\"spec\":{\"replicas\":3},\"status\":{\"replicas\":9}}"));
        assertThat(spec.at("/spec/replicas").asInt()).isEqualTo(3);
        assertThat(spec.has("status")).isFalse();
        assertThat(ObjectMetaReader.generation(spec)).isEqualTo(2);

        ObjectNode status = ok(api.patch(
                WIDGETS + "/w/status",
                "merge-patch+json",
                "{\"metadata\":{\"labels\":{\"a\":\"b\"}},\"spec\":{\"replicas\":7},\"status\":{\"replicas\":9}}"));
        assertThat(status.at("/spec/replicas").asInt()).isEqualTo(3);
        assertThat(status.at("/status/replicas").asInt()).isEqualTo(9);
        assertThat(ObjectMetaReader.labels(status)).isEmpty();
        assertThat(ObjectMetaReader.generation(status)).isEqualTo(2);
    }

    @Test
    void aCustomKindScales() {
        define("example.com", "widgets", "Widget");
        create("w", "");

        ok(api.patch(WIDGETS + "/w/scale", "merge-patch+json", "{\"spec\":{\"replicas\":4}}"));

        assertThat(ok(api.get(WIDGETS + "/w")).at("/spec/replicas").asInt()).isEqualTo(4);
    }

    @Test
    void deletingACrdDeletesItsObjects() {
        define("example.com", "widgets", "Widget");
        ObjectNode widget = create("w", "");
        WatchResponse watch =
                api.watch(WIDGETS + "?watch=true&resourceVersion=" + ObjectMetaReader.resourceVersion(widget));

        ok(api.delete(DEFINITIONS + "/widgets.example.com"));

        assertThat(eventSummaries(watch)).containsExactly("DELETED w");
        refused(404, api.get(DEFINITIONS + "/widgets.example.com"));
        refused(404, api.get(WIDGETS));
        refused(404, api.get(SERVICES + "/v1.example.com"));
    }

    @Test
    void aDeletedCrdWaitsForObjectsWithFinalizers() {
        define("example.com", "widgets", "Widget");
        create("w", "finalizers: [example.com/keep]");

        ok(api.delete(DEFINITIONS + "/widgets.example.com"));

        assertThat(ObjectMetaReader.finalizers(ok(api.get(DEFINITIONS + "/widgets.example.com"))))
                .containsExactly("customresourcecleanup.apiextensions.k8s.io");
        refused(405, api.post(WIDGETS, widget("other", "")));
        ok(api.patch(WIDGETS + "/w", "merge-patch+json", "{\"metadata\":{\"finalizers\":null}}"));
        refused(404, api.get(DEFINITIONS + "/widgets.example.com"));
    }

    @Test
    void aConflictingNameIsNotAccepted() {
        define("example.com", "widgets", "Widget");
        define("example.com", "gadgets", "Widget");

        ObjectNode second = ok(api.get(DEFINITIONS + "/gadgets.example.com"));
        assertThat(second.at("/status/conditions/0/status").asText()).isEqualTo("False");
        assertThat(second.at("/status/conditions/0/message").asText()).isEqualTo("\"WidgetList\" is already in use");
        refused(404, api.get("/apis/example.com/v1/gadgets"));
    }

    @Test
    void aUserCreatedApiServiceDecidesTheGroupOrder() {
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
    void aManagedApiServiceIsRestoredAfterAChange() {
        define("a.example.com", "widgets", "Widget");

        ok(api.patch(SERVICES + "/v1.a.example.com", "merge-patch+json", "{\"spec\":{\"groupPriorityMinimum\":5}}"));

        assertThat(ok(api.get(SERVICES + "/v1.a.example.com"))
                        .at("/spec/groupPriorityMinimum")
                        .asInt())
                .isEqualTo(1000);
    }

    @Test
    void aServiceGetsAnUnusedClusterIp() {
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
