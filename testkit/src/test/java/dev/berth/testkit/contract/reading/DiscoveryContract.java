package dev.berth.testkit.contract.reading;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiRequest;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.contract.ProtoMessage;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Discovery: what kinds there are, how they are named, what may be done with them. */
public abstract class DiscoveryContract extends ApiServerContract {

    private static final String AT_ONCE =
            "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
    private static final String API_SERVICES = "/apis/apiregistration.k8s.io/v1/apiservices";

    @Test
    void theVersionIsOneOfKubernetes() {
        ApiResponse version = api.get("/version").expect(200);

        assertThat(version.at("/major")).isEqualTo("1");
        assertThat(version.at("/minor")).matches("\\d+\\+?");
        assertThat(version.at("/gitVersion")).startsWith("v1.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/livez", "/readyz", "/healthz"})
    void healthIsOk(String path) {
        assertThat(api.get(path).expect(200).text()).isEqualTo("ok");
    }

    @Test
    void theCoreGroupHasItsVersion() {
        ApiResponse versions = api.get("/api").expect(200);

        assertThat(versions.at("/kind")).isEqualTo("APIVersions");
        assertThat(versions.at("/versions/0")).isEqualTo("v1");
    }

    @ParameterizedTest
    @CsvSource({
        "apps, v1",
        "policy, v1",
        "events.k8s.io, v1",
        "coordination.k8s.io, v1",
        "scheduling.k8s.io, v1",
        "storage.k8s.io, v1",
        "rbac.authorization.k8s.io, v1",
        "apiextensions.k8s.io, v1",
        "admissionregistration.k8s.io, v1",
    })
    void groupsAreListedWithTheirVersions(String group, String version) {
        ApiResponse groups = api.get("/apis").expect(200);

        assertThat(groups.at("/kind")).isEqualTo("APIGroupList");
        JsonNode found = find(groups.json().path("groups"), group);
        assertThat(found.at("/preferredVersion/version").asText()).isEqualTo(version);
        assertThat(found.at("/versions/0/groupVersion").asText()).isEqualTo(group + "/" + version);
        assertThat(api.get("/apis/" + group).expect(200).at("/kind")).isEqualTo("APIGroup");
    }

    @ParameterizedTest(name = "{1} of {0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/v1 | pods | Pod | true | po | create delete deletecollection get list patch update watch",
                "/api/v1 | nodes | Node | false | no | create delete deletecollection get list patch update watch",
                "/api/v1 | namespaces | Namespace | false | ns | create delete get list patch update watch",
                "/api/v1 | configmaps | ConfigMap | true | cm | create delete deletecollection get list patch update watch",
                "/api/v1 | pods/binding | Binding | true | '' | create",
                "/api/v1 | pods/eviction | Eviction | true | '' | create",
                "/api/v1 | pods/status | Pod | true | '' | get patch update",
                "/apis/apps/v1 | deployments | Deployment | true | deploy | create delete deletecollection get list patch update watch",
                "/apis/apps/v1 | deployments/scale | Scale | true | '' | get patch update",
                "/apis/coordination.k8s.io/v1 | leases | Lease | true | '' | create delete deletecollection get list patch update watch",
                "/apis/scheduling.k8s.io/v1 | priorityclasses | PriorityClass | false | pc | create delete deletecollection get list patch update watch",
                "/apis/policy/v1 | poddisruptionbudgets | PodDisruptionBudget | true | pdb | create delete deletecollection get list patch update watch",
            })
    void kindsAreDescribed(String path, String name, String kind, boolean namespaced, String shortName, String verbs) {
        ApiResponse resources = api.get(path).expect(200);

        assertThat(resources.at("/kind")).isEqualTo("APIResourceList");
        JsonNode found = find(resources.json().path("resources"), name);
        assertThat(found.path("kind").asText()).isEqualTo(kind);
        assertThat(found.path("namespaced").asBoolean()).isEqualTo(namespaced);
        assertThat(found.at("/shortNames/0").asText()).isEqualTo(shortName);
        assertThat(texts(found.path("verbs"))).containsExactlyInAnyOrder(verbs.split(" "));
    }

    @Test
    void someKindsAreOfAllCategory() {
        JsonNode apps = api.get("/apis/apps/v1").expect(200).json().path("resources");

        assertThat(texts(find(apps, "deployments").path("categories"))).containsExactly("all");
        assertThat(find(apps, "deployments").path("singularName").asText()).isEqualTo("deployment");
    }

    @Test
    void aggregatedDiscoveryIsServed() {
        ApiResponse core =
                api.send(ApiRequest.of("GET", "/api").accepting(AT_ONCE)).expect(200);

        assertThat(core.at("/kind")).isEqualTo("APIGroupDiscoveryList");
        assertThat(core.at("/apiVersion")).isEqualTo("apidiscovery.k8s.io/v2");
        assertThat(core.header("Content-Type").get(0)).contains("as=APIGroupDiscoveryList");
        JsonNode pods = StreamSupport.stream(
                        core.json().at("/items/0/versions/0/resources").spliterator(), false)
                .filter(resource -> resource.path("resource").asText().equals("pods"))
                .findFirst()
                .orElseThrow();
        assertThat(pods.path("scope").asText()).isEqualTo("Namespaced");
        assertThat(pods.at("/responseKind/kind").asText()).isEqualTo("Pod");
        assertThat(texts(pods.path("shortNames"))).containsExactly("po");
        assertThat(aggregatedGroups()).contains("apps", "policy", "coordination.k8s.io");
    }

    @Test
    void apiServicePriorityOrdersTheGroups() {
        String early = testNamespace.uniqueName("a") + ".example.com";
        String preferred = testNamespace.uniqueName("b") + ".example.com";
        testNamespace.create(API_SERVICES, apiService(preferred, 2_000));
        define(early);
        define(preferred);

        Eventually.holds(() -> assertThat(groupsLike(".example.com")).containsSubsequence(preferred, early));
        assertThat(api.get(API_SERVICES + "/v1." + preferred).at("/spec/groupPriorityMinimum"))
                .isEqualTo("2000");
        assertThat(api.get(API_SERVICES + "/v1." + early).at("/spec/groupPriorityMinimum"))
                .isEqualTo("1000");
    }

    @Test
    void aggregatedDiscoveryIgnoresApiServicePriority() {
        String early = testNamespace.uniqueName("a") + ".example.com";
        String preferred = testNamespace.uniqueName("b") + ".example.com";
        testNamespace.create(API_SERVICES, apiService(preferred, 2_000));
        define(early);
        define(preferred);

        Eventually.holds(() -> assertThat(groupsLike(".example.com")).containsSubsequence(preferred, early));
        Eventually.holds(() -> assertThat(aggregatedGroups()).containsSubsequence(early, preferred));
    }

    @Test
    void aManagedApiServiceIsResetUntilItIsTakenOver() {
        String early = testNamespace.uniqueName("a") + ".example.com";
        String late = testNamespace.uniqueName("b") + ".example.com";
        define(early);
        define(late);
        Eventually.holds(() -> assertThat(groupsLike(".example.com")).containsSubsequence(early, late));

        String path = API_SERVICES + "/v1." + late;
        api.patch(path, HttpApi.MERGE_PATCH, "{\"spec\":{\"groupPriorityMinimum\":2000}}")
                .expect(200);
        Eventually.holds(
                () -> assertThat(api.get(path).at("/spec/groupPriorityMinimum")).isEqualTo("1000"));
        api.patch(
                        path,
                        HttpApi.MERGE_PATCH,
                        "{\"metadata\":{\"labels\":{\"kube-aggregator.kubernetes.io/automanaged\":\"false\"}},"
                                + "\"spec\":{\"groupPriorityMinimum\":2000}}")
                .expect(200);

        Eventually.holds(() -> assertThat(groupsLike(".example.com")).containsSubsequence(late, early));
        testNamespace.deleteLater(path);
    }

    private static ObjectNode apiService(String group, int priority) {
        return Manifests.yaml("""
                apiVersion: apiregistration.k8s.io/v1
                kind: APIService
                metadata: {name: v1.%1$s}
                spec: {group: %1$s, version: v1, groupPriorityMinimum: %2$d, versionPriority: 100}
                """.formatted(group, priority));
    }

    private void define(String group) {
        testNamespace.create(
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", Manifests.yaml("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: buoys.%1$s}
                spec:
                  group: %1$s
                  scope: Cluster
                  names: {kind: Buoy, plural: buoys}
                  versions:
                  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
                """.formatted(group)));
    }

    private List<String> aggregatedGroups() {
        ApiResponse groups =
                api.send(ApiRequest.of("GET", "/apis").accepting(AT_ONCE)).expect(200);
        return StreamSupport.stream(groups.json().path("items").spliterator(), false)
                .map(group -> group.at("/metadata/name").asText())
                .toList();
    }

    private List<String> groupsLike(String end) {
        return StreamSupport.stream(
                        api.get("/apis").expect(200).json().path("groups").spliterator(), false)
                .peek(group -> assertThat(group.has("kind")).isFalse())
                .map(group -> group.path("name").asText())
                .filter(name -> name.endsWith(end))
                .toList();
    }

    @Test
    void openApiSchemasAreServedByGroup() {
        ApiResponse index = api.get("/openapi/v3").expect(200);

        JsonNode paths = index.json().path("paths");
        assertThat(paths.has("api/v1")).isTrue();
        assertThat(paths.has("apis/apps/v1")).isTrue();
        ApiResponse core =
                api.get(paths.at("/api~1v1/serverRelativeURL").asText()).expect(200);
        JsonNode pod = core.json().at("/components/schemas/io.k8s.api.core.v1.Pod");
        assertThat(pod.path("properties").has("spec")).isTrue();
        assertThat(pod.at("/x-kubernetes-group-version-kind/0/kind").asText()).isEqualTo("Pod");
    }

    @Test
    void schemasSayThatFieldsAreValidatedByTheServer() {
        ApiResponse apps = api.get("/openapi/v3/apis/apps/v1").expect(200);

        JsonNode post = apps.json().at("/paths/~1apis~1apps~1v1~1namespaces~1{namespace}~1deployments/post/parameters");
        assertThat(StreamSupport.stream(post.spliterator(), false)
                        .map(parameter -> parameter.path("name").asText())
                        .toList())
                .contains("fieldValidation", "dryRun");
    }

    @Test
    void aRequestWithoutATokenIsUnauthorized() {
        ApiResponse refused = api.send(ApiRequest.of("GET", "/api/v1/pods"), "");

        refused.expectFailure(401, "Unauthorized");
        assertThat(refused.message()).isEqualTo("Unauthorized");
    }

    @Test
    void aRequestWithAWrongTokenIsUnauthorized() {
        api.send(ApiRequest.of("GET", "/api/v1/pods"), "wrong").expectFailure(401, "Unauthorized");
        ApiResponse refused = api.send(ApiRequest.of("GET", "/api/v1/pods").accepting(HttpApi.PROTOBUF), "wrong");

        refused.expect(401);
        assertThat(ProtoMessage.openEnvelope(refused.bytes()).object().text(4)).isEqualTo("Unauthorized");
    }

    private static JsonNode find(JsonNode list, String name) {
        return StreamSupport.stream(list.spliterator(), false)
                .filter(item -> item.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no (%s) in %s".formatted(name, list)));
    }

    private static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }
}
