package dev.berth.testkit.contract.writing;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.Manifests;
import org.junit.jupiter.api.Test;

/** Creates and whole updates: identity, versions, conflicts, what may not change. */
public abstract class WriteContract extends ApiServerContract {

    @Test
    void aCreatedObjectGetsItsIdentity() {
        ApiResponse created = api.post(testNamespace.path("configmaps"), Manifests.configMap("a"))
                .expect(201);

        assertThat(created.at("/kind")).isEqualTo("ConfigMap");
        assertThat(created.at("/apiVersion")).isEqualTo("v1");
        assertThat(created.at("/metadata/namespace")).isEqualTo(testNamespace.namespace());
        assertThat(created.uid()).matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
        assertThat(created.resourceVersion()).matches("[1-9][0-9]*");
        assertThat(created.at("/metadata/creationTimestamp")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
        assertThat(api.get(testNamespace.path("configmaps/a")).expect(200).json())
                .isEqualTo(created.json());
    }

    @Test
    void identityGivenByAClientIsOverwritten() {
        ObjectNode map = Manifests.configMap("a");
        ((ObjectNode) map.path("metadata")).put("uid", "mine").put("creationTimestamp", "2001-01-01T00:00:00Z");

        ApiResponse created = api.post(testNamespace.path("configmaps"), map).expect(201);

        assertThat(created.uid()).isNotEqualTo("mine");
        assertThat(created.at("/metadata/creationTimestamp")).doesNotStartWith("2001");
    }

    @Test
    void aDuplicateNameIsRejected() {
        api.post(testNamespace.path("configmaps"), Manifests.configMap("a")).expect(201);

        ApiResponse refused = api.post(testNamespace.path("configmaps"), Manifests.configMap("a"));

        refused.expectFailure(409, "AlreadyExists");
        assertThat(refused.message()).isEqualTo("configmaps \"a\" already exists");
        assertThat(refused.at("/details/name")).isEqualTo("a");
    }

    @Test
    void aRecreatedObjectHasANewUid() {
        String first = api.post(testNamespace.path("configmaps"), Manifests.configMap("a"))
                .expect(201)
                .uid();
        api.delete(testNamespace.path("configmaps/a")).expect(200);

        String second = api.post(testNamespace.path("configmaps"), Manifests.configMap("a"))
                .expect(201)
                .uid();

        assertThat(second).isNotEqualTo(first);
    }

    @Test
    void aNameIsGeneratedFromItsPrefix() {
        ObjectNode map = Manifests.yaml("{apiVersion: v1, kind: ConfigMap, metadata: {generateName: web-}}");

        ApiResponse first = api.post(testNamespace.path("configmaps"), map).expect(201);
        ApiResponse second = api.post(testNamespace.path("configmaps"), map).expect(201);

        assertThat(first.at("/metadata/name")).matches("web-[a-z0-9]{5}");
        assertThat(second.at("/metadata/name")).isNotEqualTo(first.at("/metadata/name"));
        assertThat(first.at("/metadata/generateName")).isEqualTo("web-");
    }

    @Test
    void anObjectNeedsAName() {
        ApiResponse refused =
                api.post(testNamespace.path("configmaps"), Manifests.yaml("{apiVersion: v1, kind: ConfigMap}"));

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message()).contains("name or generateName is required");
    }

    @Test
    void aNameMustBeADomainName() {
        ApiResponse refused = api.post(testNamespace.path("configmaps"), Manifests.configMap("Not_Good"));

        refused.expectFailure(422, "Invalid");
        assertThat(refused.causes()).containsExactly("metadata.name");
        assertThat(refused.message())
                .startsWith("ConfigMap \"Not_Good\" is invalid: metadata.name: Invalid value: \"Not_Good\": "
                        + "a lowercase RFC 1123 subdomain must consist of");
    }

    @Test
    void aLabelMustBeWellFormed() {
        ObjectNode map = Manifests.configMap("a");
        ((ObjectNode) map.path("metadata")).set("labels", Manifests.yaml("{good: 'not good!'}"));

        ApiResponse refused = api.post(testNamespace.path("configmaps"), map);

        refused.expectFailure(422, "Invalid");
        assertThat(refused.causes()).containsExactly("metadata.labels");
    }

    @Test
    void aResourceVersionOnCreateIsRejected() {
        ObjectNode map = Manifests.configMap("a");
        ((ObjectNode) map.path("metadata")).put("resourceVersion", "5");

        ApiResponse refused = api.post(testNamespace.path("configmaps"), map);

        refused.expect(500);
        assertThat(refused.message()).isEqualTo("resourceVersion should not be set on objects to be created");
    }

    @Test
    void creatingInAMissingNamespaceFails() {
        ApiResponse refused = api.post("/api/v1/namespaces/no-such-place/configmaps", Manifests.configMap("a"));

        refused.expectFailure(404, "NotFound");
        assertThat(refused.message()).isEqualTo("namespaces \"no-such-place\" not found");
    }

    @Test
    void anObjectOfAnotherNamespaceIsRefused() {
        ObjectNode map = Manifests.configMap("a");
        ((ObjectNode) map.path("metadata")).put("namespace", "default");

        ApiResponse refused = api.post(testNamespace.path("configmaps"), map);

        refused.expectFailure(400, "BadRequest");
        assertThat(refused.message())
                .contains("the namespace of the provided object does not match the namespace sent on the request");
    }

    @Test
    void anUpdateOfTheCurrentVersionSucceeds() {
        ApiResponse created = api.post(testNamespace.path("configmaps"), Manifests.configMap("a"))
                .expect(201);

        ApiResponse updated = api.put(testNamespace.path("configmaps/a"), with(created, "/data", "a", "c"))
                .expect(200);

        assertThat(updated.at("/data/a")).isEqualTo("c");
        assertThat(Long.parseLong(updated.resourceVersion())).isGreaterThan(Long.parseLong(created.resourceVersion()));
        assertThat(updated.uid()).isEqualTo(created.uid());
    }

    @Test
    void anUpdateOfAnOlderVersionIsAConflict() {
        ApiResponse created = api.post(testNamespace.path("configmaps"), Manifests.configMap("a"))
                .expect(201);
        api.put(testNamespace.path("configmaps/a"), with(created, "/data", "a", "c"))
                .expect(200);

        ApiResponse refused = api.put(testNamespace.path("configmaps/a"), with(created, "/data", "a", "d"));

        refused.expectFailure(409, "Conflict");
        assertThat(refused.message())
                .isEqualTo("Operation cannot be fulfilled on configmaps \"a\": the object has been modified; "
                        + "please apply your changes to the latest version and try again");
    }

    @Test
    void anUpdateWithoutAResourceVersionIsUnconditional() {
        api.post(testNamespace.path("configmaps"), Manifests.configMap("a")).expect(201);

        ApiResponse updated = api.put(
                        testNamespace.path("configmaps/a"),
                        Manifests.yaml("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: z}}"))
                .expect(200);

        assertThat(updated.at("/data/a")).isEqualTo("z");
    }

    @Test
    void anUpdateWithAnotherUidIsAConflict() {
        ApiResponse created = api.post(testNamespace.path("configmaps"), Manifests.configMap("a"))
                .expect(201);
        ObjectNode other = Manifests.configMap("a");
        ((ObjectNode) other.path("metadata")).put("uid", "00000000-0000-0000-0000-000000000000");

        ApiResponse refused = api.put(testNamespace.path("configmaps/a"), other);

        refused.expectFailure(409, "Conflict");
        assertThat(refused.message())
                .contains("Precondition failed: UID in precondition: 00000000-0000-0000-0000-000000000000, "
                        + "UID in object meta: " + created.uid());
    }

    @Test
    void anUpdateThatChangesNothingKeepsTheVersion() {
        ApiResponse created = api.post(testNamespace.path("configmaps"), Manifests.configMap("a"))
                .expect(201);

        ApiResponse updated =
                api.put(testNamespace.path("configmaps/a"), created.json()).expect(200);

        assertThat(updated.resourceVersion()).isEqualTo(created.resourceVersion());
    }

    @Test
    void updatingAMissingObjectFails() {
        api.put(testNamespace.path("configmaps/a"), Manifests.configMap("a")).expectFailure(404, "NotFound");
    }

    @Test
    void anUpdateMustNameTheObjectOfItsPath() {
        ApiResponse refused = api.put(testNamespace.path("configmaps/a"), Manifests.configMap("b"));

        refused.expectFailure(400, "BadRequest");
        assertThat(refused.message()).isEqualTo("the name of the object (b) does not match the name on the URL (a)");
    }

    @Test
    void theGenerationGrowsOnlyWithTheSpec() {
        ApiResponse created =
                api.post(testNamespace.path("apps/v1", "deployments"), paused()).expect(201);
        ObjectNode labelled = (ObjectNode) created.json().deepCopy();
        ((ObjectNode) labelled.path("metadata")).set("labels", Manifests.yaml("{a: b}"));
        ((ObjectNode) labelled.path("metadata")).remove("resourceVersion");
        ApiResponse labels = api.put(testNamespace.path("apps/v1", "deployments/web"), labelled)
                .expect(200);
        ObjectNode scaled = labelled.deepCopy();
        ((ObjectNode) scaled.path("spec")).put("replicas", 3);
        ApiResponse spec = api.put(testNamespace.path("apps/v1", "deployments/web"), scaled)
                .expect(200);

        assertThat(created.at("/metadata/generation")).isEqualTo("1");
        assertThat(labels.at("/metadata/generation")).isEqualTo("1");
        assertThat(spec.at("/metadata/generation")).isEqualTo("2");
    }

    @Test
    void theStatusIsWrittenOnlyThroughItsSubresource() {
        String name = testNamespace.uniqueName("n");
        ObjectNode node = Manifests.yaml(
                "{apiVersion: v1, kind: Node, metadata: {name: %s}, spec: {podCIDR: 10.1.0.0/24}, status: {allocatable: {cpu: '4'}}}"
                        .formatted(name));
        testNamespace.create("/api/v1/nodes", node);
        ObjectNode status = Manifests.yaml(
                "{apiVersion: v1, kind: Node, metadata: {name: %s}, spec: {unschedulable: true}, status: {allocatable: {cpu: '8'}}}"
                        .formatted(name));

        ApiResponse viaStatus =
                api.put("/api/v1/nodes/" + name + "/status", status).expect(200);
        ApiResponse viaNode = api.put(
                        "/api/v1/nodes/" + name,
                        Manifests.yaml(
                                "{apiVersion: v1, kind: Node, metadata: {name: %s}, spec: {podCIDR: 10.1.0.0/24, podCIDRs: [10.1.0.0/24]}}"
                                        .formatted(name)))
                .expect(200);

        assertThat(viaStatus.at("/status/allocatable/cpu")).isEqualTo("8");
        assertThat(viaStatus.json().path("spec").has("unschedulable")).isFalse();
        assertThat(viaNode.at("/status/allocatable/cpu")).isEqualTo("8");
    }

    @Test
    void thePodStatusIsIgnoredOnCreate() {
        ObjectNode pod = Manifests.pod("web");
        pod.set("status", Manifests.yaml("{phase: Running, podIP: 10.0.0.1}"));

        ApiResponse created = api.post(testNamespace.path("pods"), pod).expect(201);

        assertThat(created.at("/status/phase")).isEqualTo("Pending");
        assertThat(created.json().path("status").has("podIP")).isFalse();
    }

    @Test
    void thePodSpecIsImmutable() {
        ApiResponse created =
                api.post(testNamespace.path("pods"), Manifests.pod("web")).expect(201);
        ObjectNode moved = (ObjectNode) created.json().deepCopy();
        ((ObjectNode) moved.path("spec")).put("nodeName", "elsewhere");

        ApiResponse refused = api.put(testNamespace.path("pods/web"), moved);

        refused.expectFailure(422, "Invalid");
        assertThat(refused.message()).contains("pod updates may not change fields other than");
        assertThat(refused.causes()).containsExactly("spec");
    }

    @Test
    void aDryRunCreatePersistsNothing() {
        ApiResponse created = api.post(testNamespace.path("configmaps?dryRun=All"), Manifests.configMap("a"))
                .expect(201);

        assertThat(created.uid()).isNotEmpty();
        api.get(testNamespace.path("configmaps/a")).expect(404);
    }

    @Test
    void aDryRunUpdatePersistsNothing() {
        ApiResponse created = api.post(testNamespace.path("configmaps"), Manifests.configMap("a"))
                .expect(201);

        ApiResponse updated = api.put(testNamespace.path("configmaps/a?dryRun=All"), with(created, "/data", "a", "c"))
                .expect(200);

        assertThat(updated.at("/data/a")).isEqualTo("c");
        assertThat(api.get(testNamespace.path("configmaps/a")).at("/data/a")).isEqualTo("b");
    }

    @Test
    void anInvalidDryRunValueIsRejected() {
        ApiResponse refused = api.post(testNamespace.path("configmaps?dryRun=some"), Manifests.configMap("a"));

        refused.expectFailure(422, "Invalid");
        assertThat(refused.causes()).containsExactly("dryRun");
    }

    @Test
    void anUnsupportedMethodIsNotAllowed() {
        api.put(testNamespace.path("configmaps"), Manifests.configMap("a")).expectFailure(405, "MethodNotAllowed");
        api.get(testNamespace.path("pods/web/binding")).expectFailure(405, "MethodNotAllowed");
    }

    private static ObjectNode paused() {
        ObjectNode deployment = Manifests.deployment("web");
        ((ObjectNode) deployment.path("spec")).put("paused", true).put("replicas", 0);
        return deployment;
    }

    private static JsonNode with(ApiResponse apiResponse, String parent, String field, String value) {
        JsonNode changed = apiResponse.json().deepCopy();
        ((ObjectNode) changed.at(parent)).put(field, value);
        return changed;
    }
}
