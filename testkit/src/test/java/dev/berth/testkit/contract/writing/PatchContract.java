package dev.berth.testkit.contract.writing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Patches: merge, JSON, strategic; with and without a version. */
public abstract class PatchContract extends ApiServerContract {

    @BeforeEach
    void createAConfigMap() {
        api.post(testNamespace.path("configmaps"), Manifests.configMap("a")).expect(201);
    }

    @Test
    void aMergePatchSetsAndRemoves() {
        ApiResponse patched = patch(HttpApi.MERGE_PATCH, "{'data':{'a':null,'c':'d'},'metadata':{'labels':{'x':'y'}}}")
                .expect(200);

        assertThat(patched.json().path("data")).isEqualTo(Manifests.yaml("{c: d}"));
        assertThat(patched.at("/metadata/labels/x")).isEqualTo("y");
    }

    @Test
    void aJsonPatchDoesItsStepsInOrder() {
        ApiResponse patched = patch(HttpApi.JSON_PATCH, """
                        [{'op':'test','path':'/data/a','value':'b'},
                         {'op':'add','path':'/data/c','value':'d'},
                         {'op':'replace','path':'/data/a','value':'z'},
                         {'op':'add','path':'/metadata/labels','value':{'x/y':'z'}},
                         {'op':'copy','from':'/metadata/labels/x~1y','path':'/data/e'},
                         {'op':'move','from':'/data/c','path':'/data/g'}]
                        """).expect(200);

        assertThat(patched.json().path("data")).isEqualTo(Manifests.yaml("{a: z, e: z, g: d}"));
    }

    @Test
    void aJsonPatchWhoseTestFailsChangesNothing() {
        ApiResponse refused = patch(
                HttpApi.JSON_PATCH,
                "[{'op':'replace','path':'/data/a','value':'z'},{'op':'test','path':'/data/a','value':'b'}]");

        refused.expectFailure(422, "Invalid");
        assertThat(api.get(testNamespace.path("configmaps/a")).at("/data/a")).isEqualTo("b");
    }

    @Test
    void aJsonPatchOfAMissingPathIsRejected() {
        patch(HttpApi.JSON_PATCH, "[{'op':'remove','path':'/data/nothing'}]").expectFailure(422, "Invalid");
    }

    @Test
    void aMalformedPatchIsRejected() {
        patch(HttpApi.JSON_PATCH, "{'not':'a list'}").expectFailure(400, "BadRequest");
        patch(HttpApi.MERGE_PATCH, "not json").expectFailure(400, "BadRequest");
        patch(HttpApi.STRATEGIC_PATCH, "[]").expectFailure(400, "BadRequest");
    }

    @Test
    void aPatchOfAnUnknownTypeIsRefused() {
        patch("application/json", "{}").expectFailure(415, "UnsupportedMediaType");
    }

    @Test
    void aPatchOfAMissingObjectIsNotFound() {
        api.patch(testNamespace.path("configmaps/nobody"), HttpApi.MERGE_PATCH, "{}")
                .expectFailure(404, "NotFound");
    }

    @Test
    void aPatchWithAnOlderVersionIsAConflict() {
        String old = api.get(testNamespace.path("configmaps/a")).resourceVersion();
        patch(HttpApi.MERGE_PATCH, "{'data':{'c':'d'}}").expect(200);

        ApiResponse refused =
                patch(HttpApi.MERGE_PATCH, "{'metadata':{'resourceVersion':'%s'},'data':{'e':'f'}}".formatted(old));

        refused.expectFailure(409, "Conflict");
        assertThat(refused.message()).contains("the object has been modified");
    }

    @Test
    void aPatchCannotChangeTheObjectIdentity() {
        ApiResponse refused = patch(
                HttpApi.MERGE_PATCH, "{'metadata':{'uid':'00000000-0000-0000-0000-000000000000'},'data':{'e':'f'}}");

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message())
                .contains("metadata.uid: Invalid value: \"00000000-0000-0000-0000-000000000000\": field is immutable");
    }

    @Test
    void aPatchThatChangesNothingKeepsTheVersion() {
        String before = api.get(testNamespace.path("configmaps/a")).resourceVersion();

        assertThat(patch(HttpApi.MERGE_PATCH, "{'data':{'a':'b'}}").expect(200).resourceVersion())
                .isEqualTo(before);
    }

    @Test
    void concurrentPatchesAllApply() {
        List<CompletableFuture<ApiResponse>> patches = IntStream.range(0, 10)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> patch(HttpApi.MERGE_PATCH, "{'data':{'k%d':'v'}}".formatted(i))))
                .toList();
        patches.forEach(patch -> patch.join().expect(200));

        assertThat(api.get(testNamespace.path("configmaps/a")).json().path("data"))
                .hasSize(11);
    }

    @Test
    void aDryRunPatchChangesNothing() {
        ApiResponse patched = api.patch(
                        testNamespace.path("configmaps/a?dryRun=All"), HttpApi.MERGE_PATCH, "{\"data\":{\"a\":\"z\"}}")
                .expect(200);

        assertThat(patched.at("/data/a")).isEqualTo("z");
        assertThat(api.get(testNamespace.path("configmaps/a")).at("/data/a")).isEqualTo("b");
    }

    @Test
    void aStrategicPatchMergesContainersByName() {
        ObjectNode deployment = Manifests.deployment("web");
        ((ObjectNode) deployment.path("spec")).put("paused", true).put("replicas", 0);
        api.post(testNamespace.path("apps/v1", "deployments"), deployment).expect(201);

        ApiResponse patched = strategic("apps/v1", "deployments/web", """
                {'spec':{'template':{'spec':{'containers':[
                  {'name':'main','env':[{'name':'A','value':'1'}]},
                  {'name':'side','image':'busybox'}]}}}}
                """);
        ApiResponse again = strategic("apps/v1", "deployments/web", """
                {'spec':{'template':{'spec':{'containers':[
                  {'name':'side','$patch':'delete'},
                  {'name':'main','env':[{'name':'B','value':'2'}]}]}}}}
                """);

        assertThat(names(patched, "/spec/template/spec/containers")).containsExactlyInAnyOrder("main", "side");
        assertThat(names(again, "/spec/template/spec/containers")).containsExactly("main");
        assertThat(again.at("/spec/template/spec/containers/0/image")).isEqualTo("nginx");
        assertThat(names(again, "/spec/template/spec/containers/0/env")).containsExactlyInAnyOrder("A", "B");
    }

    @Test
    void aStrategicPatchMergesConditionsByType() {
        api.post(testNamespace.path("pods"), Manifests.pod("web")).expect(201);
        strategicCore("pods/web/status", "{'status':{'conditions':[{'type':'Ready','status':'True'}]}}");

        ApiResponse patched = strategicCore(
                "pods/web/status",
                "{'status':{'conditions':[{'type':'PodScheduled','status':'False','reason':'Unschedulable','message':'no room'}],'nominatedNodeName':'n1'}}");

        assertThat(patched.json().at("/status/conditions").findValuesAsText("type"))
                .containsExactlyInAnyOrder("Ready", "PodScheduled");
        assertThat(patched.at("/status/nominatedNodeName")).isEqualTo("n1");
    }

    @Test
    void aStrategicPatchReplacesListsWithoutAMergeKey() {
        ObjectNode pod = Manifests.pod("web");
        ((ObjectNode) pod.path("spec"))
                .set(
                        "containers",
                        Manifests.yaml("{c: [{name: main, image: nginx, args: [a, b]}]}")
                                .path("c"));
        ObjectNode deployment = Manifests.deployment("web");
        ((ObjectNode) deployment.path("spec")).put("paused", true).put("replicas", 0);
        ((ObjectNode) deployment.at("/spec/template")).set("spec", pod.path("spec"));
        api.post(testNamespace.path("apps/v1", "deployments"), deployment).expect(201);

        ApiResponse patched = strategic(
                "apps/v1",
                "deployments/web",
                "{'spec':{'template':{'spec':{'containers':[{'name':'main','args':['c']}]}}}}");

        assertThat(patched.json().at("/spec/template/spec/containers/0/args")).hasSize(1);
    }

    @Test
    void aStrategicPatchMergesFinalizersAndDeletesOneByItsDirective() {
        strategicCore("configmaps/a", "{'metadata':{'finalizers':['example.com/one']}}");
        ApiResponse both = strategicCore("configmaps/a", "{'metadata':{'finalizers':['example.com/two']}}");
        ApiResponse one = strategicCore(
                "configmaps/a", "{'metadata':{'$deleteFromPrimitiveList/finalizers':['example.com/one']}}");
        ApiResponse none = strategicCore("configmaps/a", "{'metadata':{'finalizers':null}}");

        assertThat(both.json().at("/metadata/finalizers")).hasSize(2);
        assertThat(one.json().at("/metadata/finalizers")).hasSize(1);
        assertThat(none.json().path("metadata").has("finalizers")).isFalse();
    }

    @Test
    void aStrategicPatchReplacesAMapOnDirective() {
        ApiResponse patched = strategicCore("configmaps/a", "{'data':{'$patch':'replace','only':'this'}}");

        assertThat(patched.json().path("data")).isEqualTo(Manifests.yaml("{only: this}"));
    }

    @Test
    void aPatchOfTheStatusLeavesTheSpecAlone() {
        api.post(testNamespace.path("pods"), Manifests.pod("web")).expect(201);

        ApiResponse patched = api.patch(
                        testNamespace.path("pods/web/status"),
                        HttpApi.MERGE_PATCH,
                        quoted(
                                "{'metadata':{'labels':{'a':'b'}},'spec':{'priority':7},'status':{'phase':'Running','podIP':'10.0.0.9'}}"))
                .expect(200);

        assertThat(patched.at("/status/phase")).isEqualTo("Running");
        assertThat(patched.at("/spec/priority")).isEqualTo("0");
    }

    @Test
    void aNodeIsCordonedByAPatch() {
        String name = testNamespace.uniqueName("n");
        testNamespace.create(
                "/api/v1/nodes", Manifests.yaml("{apiVersion: v1, kind: Node, metadata: {name: %s}}".formatted(name)));

        ApiResponse cordoned = api.patch(
                        "/api/v1/nodes/" + name, HttpApi.STRATEGIC_PATCH, quoted("{'spec':{'unschedulable':true}}"))
                .expect(200);
        ApiResponse uncordoned = api.patch(
                        "/api/v1/nodes/" + name, HttpApi.STRATEGIC_PATCH, quoted("{'spec':{'unschedulable':null}}"))
                .expect(200);

        assertThat(cordoned.at("/spec/unschedulable")).isEqualTo("true");
        assertThat(uncordoned.json().path("spec").has("unschedulable")).isFalse();
    }

    @Test
    void aStrictStrategicPatchWithAnUnknownFieldIsInvalid() {
        ApiResponse refused = api.patch(
                testNamespace.path("configmaps/a?fieldValidation=Strict"),
                HttpApi.STRATEGIC_PATCH,
                quoted("{'foo':{'b':1,'a':['x',true,null]},'data':{'z':'1','y':'2'}}"));

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message())
                .isEqualTo(" \"\" is invalid: patch: Invalid value: \"map[data:map[y:2 z:1] foo:map[a:[x true <nil>]"
                        + " b:1]]\": strict decoding error: unknown field \"foo\"");
        assertThat(refused.causes()).containsExactly("patch");
        assertThat(refused.json().path("details").has("kind")).isFalse();
    }

    @Test
    void aStrictPatchOfAnotherTypeShowsThePatchedObject() {
        for (String type : List.of(HttpApi.MERGE_PATCH, HttpApi.JSON_PATCH)) {
            ApiResponse refused = api.patch(
                    testNamespace.path("configmaps/a?fieldValidation=Strict"),
                    type,
                    quoted(type.equals(HttpApi.MERGE_PATCH) ? "{'foo':1}" : "[{'op':'add','path':'/foo','value':1}]"));

            refused.expectFailure(422, "Invalid");
            assertThat(refused.message())
                    .startsWith(" \"\" is invalid: patch: Invalid value: \"{\\\"apiVersion\\\":\\\"v1\\\","
                            + "\\\"data\\\":{\\\"a\\\":\\\"b\\\"},\\\"foo\\\":1,\\\"kind\\\":\\\"ConfigMap\\\"")
                    .endsWith(": strict decoding error: unknown field \"foo\"");
        }
    }

    @Test
    void aPatchWithADuplicateFieldIsReported() {
        String twice = quoted("{'data':{'q':'1','q':'2'},'foo':1}");

        ApiResponse warned = api.patch(testNamespace.path("configmaps/a"), HttpApi.STRATEGIC_PATCH, twice)
                .expect(200);
        ApiResponse refused =
                api.patch(testNamespace.path("configmaps/a?fieldValidation=Strict"), HttpApi.STRATEGIC_PATCH, twice);

        assertThat(warned.header("Warning"))
                .containsExactly("299 - \"duplicate field \\\"data.q\\\"\"", "299 - \"unknown field \\\"foo\\\"\"");
        refused.expectFailure(422, "Invalid");
        assertThat(refused.message())
                .endsWith("strict decoding error: duplicate field \"data.q\", unknown field \"foo\"");
    }

    @Test
    void aPatchWithTheWrongTypeIsInvalid() {
        patch(HttpApi.MERGE_PATCH, "{'data':{'a':1}}").expectFailure(422, "Invalid");
        patch(HttpApi.STRATEGIC_PATCH, "{'data':{'a':1}}").expectFailure(422, "Invalid");
    }

    private static List<String> names(ApiResponse apiResponse, String pointer) {
        return StreamSupport.stream(apiResponse.json().at(pointer).spliterator(), false)
                .map(item -> item.path("name").asText())
                .toList();
    }

    private ApiResponse patch(String type, String body) {
        return api.patch(testNamespace.path("configmaps/a"), type, quoted(body));
    }

    private ApiResponse strategic(String groupVersion, String rest, String body) {
        return api.patch(testNamespace.path(groupVersion, rest), HttpApi.STRATEGIC_PATCH, quoted(body))
                .expect(200);
    }

    private ApiResponse strategicCore(String rest, String body) {
        return api.patch(testNamespace.path(rest), HttpApi.STRATEGIC_PATCH, quoted(body))
                .expect(200);
    }

    private static String quoted(String body) {
        return body.replace('\'', '"');
    }
}
