package dev.berth.testkit.contract.reading;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.Manifests;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Selection by label and by field. */
public abstract class SelectorContract extends ApiServerContract {

    @ParameterizedTest(name = "{0} selects {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "tier=web            | blue green",
                "tier==web           | blue green",
                "tier!=web           | bare red",
                "tier in (web, data) | blue green red",
                "tier notin (web)    | bare red",
                "colour              | blue green red",
                "!colour             | bare",
                "tier=web,colour=blue| blue",
                "colour in (blue,red),tier!=data | blue",
                "tier=nowhere        | ''",
                "tier=               | ''",
            })
    void objectsAreSelectedByLabels(String selector, String names) {
        labelled("blue", "{tier: web, colour: blue}");
        labelled("green", "{tier: web, colour: green}");
        labelled("red", "{tier: data, colour: red}");
        labelled("bare", "{}");

        ApiResponse list = api.get(testNamespace.path("configmaps?labelSelector=" + encoded(selector)))
                .expect(200);

        assertThat(list.names()).isEqualTo(names.isEmpty() ? List.of() : List.of(names.split(" ")));
    }

    @ParameterizedTest(name = "{0} is refused")
    @CsvSource(
            delimiter = '|',
            value = {"a in (b", "a b", "-a-", "a in b", "a=b=c", "a=not/avalue"})
    void anInvalidLabelSelectorIsRejected(String selector) {
        ApiResponse refused = api.get(testNamespace.path("configmaps?labelSelector=" + encoded(selector)));

        refused.expectFailure(400, "BadRequest");
    }

    @ParameterizedTest(name = "{0} selects {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "metadata.name=waiting                    | waiting",
                "metadata.name!=waiting                   | placed",
                "spec.nodeName=                           | waiting",
                "spec.nodeName!=                          | placed",
                "spec.nodeName=there                      | placed",
                "spec.schedulerName=nobody                | placed waiting",
                "status.phase=Pending                     | placed waiting",
                "status.phase!=Pending                    | ''",
                "spec.restartPolicy=Always                | placed waiting",
                "status.phase=Pending,spec.nodeName=there | placed",
            })
    void podsAreSelectedByField(String selector, String names) {
        api.post(testNamespace.path("pods"), Manifests.pod("waiting")).expect(201);
        api.post(testNamespace.path("pods"), Manifests.pod("placed")).expect(201);
        api.post(testNamespace.path("pods/placed/binding"), Manifests.binding("placed", "there"))
                .expect(201);

        ApiResponse list = api.get(testNamespace.path("pods?fieldSelector=" + encoded(selector)))
                .expect(200);

        assertThat(list.names()).isEqualTo(names.isEmpty() ? List.of() : List.of(names.split(" ")));
    }

    @Test
    void podsAreSelectedByNamespaceField() {
        api.post(testNamespace.path("pods"), Manifests.pod("web")).expect(201);

        ApiResponse list = api.get(
                        "/api/v1/pods?fieldSelector=" + encoded("metadata.namespace=" + testNamespace.namespace()))
                .expect(200);

        assertThat(list.names()).containsExactly("web");
    }

    @Test
    void nodesAreSelectedBySchedulability() {
        String open = testNamespace.uniqueName("open");
        String closed = testNamespace.uniqueName("closed");
        testNamespace.create(
                "/api/v1/nodes", Manifests.yaml("{apiVersion: v1, kind: Node, metadata: {name: %s}}".formatted(open)));
        testNamespace.create(
                "/api/v1/nodes",
                Manifests.yaml("{apiVersion: v1, kind: Node, metadata: {name: %s}, spec: {unschedulable: true}}"
                        .formatted(closed)));

        assertThat(api.get("/api/v1/nodes?fieldSelector=spec.unschedulable%3Dtrue")
                        .expect(200)
                        .names())
                .contains(closed)
                .doesNotContain(open);
        assertThat(api.get("/api/v1/nodes?fieldSelector=spec.unschedulable%3Dfalse")
                        .expect(200)
                        .names())
                .contains(open)
                .doesNotContain(closed);
    }

    @Test
    void anUnsupportedFieldSelectorIsReported() {
        ApiResponse refused = api.get(testNamespace.path("pods?fieldSelector=spec.hostname%3Da"));

        refused.expectFailure(400, "BadRequest");
        assertThat(refused.message()).contains("field label not supported: spec.hostname");
    }

    @Test
    void anInvalidFieldSelectorIsRejected() {
        api.get(testNamespace.path("pods?fieldSelector=a")).expectFailure(400, "BadRequest");
    }

    private void labelled(String name, String labels) {
        ObjectNode map = Manifests.configMap(name);
        ((ObjectNode) map.path("metadata")).set("labels", Manifests.yaml(labels));
        api.post(testNamespace.path("configmaps"), map).expect(201);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
