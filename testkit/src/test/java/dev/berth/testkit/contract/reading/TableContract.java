package dev.berth.testkit.contract.reading;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.testkit.contract.ApiRequest;
import dev.berth.testkit.contract.ApiResponse;
import dev.berth.testkit.contract.ApiServerContract;
import dev.berth.testkit.contract.ApiWatch;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables: what {@code kubectl get} prints. */
public abstract class TableContract extends ApiServerContract {

    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json";

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                "/api/v1/pods | Name Ready Status Restarts Age IP* Node* Nominated Node* Readiness Gates*",
                "/api/v1/nodes | Name Status Roles Age Version Internal-IP* External-IP* OS-Image* Kernel-Version* Container-Runtime*",
                "/api/v1/namespaces | Name Status Age",
                "/api/v1/configmaps | Name Data Age",
                "/api/v1/secrets | Name Type Data Age",
                "/api/v1/services | Name Type Cluster-IP External-IP Port(s) Age Selector*",
                "/api/v1/serviceaccounts | Name Age",
                "/api/v1/events | Last Seen Type Reason Object Subobject* Source* Message First Seen* Count* Name*",
                "/api/v1/persistentvolumeclaims | Name Status Volume Capacity Access Modes StorageClass VolumeAttributesClass Age VolumeMode*",
                "/api/v1/persistentvolumes | Name Capacity Access Modes Reclaim Policy Status Claim StorageClass VolumeAttributesClass Reason Age VolumeMode*",
                "/apis/apps/v1/deployments | Name Ready Up-to-date Available Age Containers* Images* Selector*",
                "/apis/apps/v1/replicasets | Name Desired Current Ready Age Containers* Images* Selector*",
                "/apis/apps/v1/statefulsets | Name Ready Age Containers* Images*",
                "/apis/coordination.k8s.io/v1/leases | Name Holder Age",
                "/apis/policy/v1/poddisruptionbudgets | Name Min Available Max Unavailable Allowed Disruptions Age",
                "/apis/scheduling.k8s.io/v1/priorityclasses | Name Value Global-Default Age PreemptionPolicy",
                "/apis/storage.k8s.io/v1/storageclasses | Name Provisioner ReclaimPolicy VolumeBindingMode AllowVolumeExpansion Age",
                "/apis/storage.k8s.io/v1/csinodes | Name Drivers Age",
                "/apis/rbac.authorization.k8s.io/v1/roles | Name Created At",
                "/apis/rbac.authorization.k8s.io/v1/rolebindings | Name Role Age Users* Groups* ServiceAccounts*",
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions | Name Created At",
            })
    void tablesHaveTheExpectedColumns(String path, String columns) {
        if (path.endsWith("/serviceaccounts")) {
            skipOn("1.32", "their secrets are counted");
        }
        ApiResponse table = table(path).expect(200);

        assertThat(table.at("/kind")).isEqualTo("Table");
        assertThat(table.at("/apiVersion")).isEqualTo("meta.k8s.io/v1");
        List<String> shown = StreamSupport.stream(
                        table.json().path("columnDefinitions").spliterator(), false)
                .map(column ->
                        column.path("name").asText() + (column.path("priority").asInt() > 0 ? "*" : ""))
                .toList();
        assertThat(String.join(" ", shown)).isEqualTo(columns);
    }

    @Test
    void anUnboundPodIsShownAsPending() {
        api.post(testNamespace.path("pods"), Manifests.pod("web")).expect(201);

        assertThat(row(table(testNamespace.path("pods")), 5).subList(0, 4))
                .containsExactly("web", "0/1", "Pending", "0");
    }

    @Test
    void aRunningPodShowsItsContainersAddressAndNode() {
        runningPod("web");

        List<String> row = row(table(testNamespace.path("pods")), 9);

        assertThat(row.subList(0, 4)).containsExactly("web", "1/1", "Running", "2");
        assertThat(row.subList(5, 9)).containsExactly("10.0.0.1", "n1", "<none>", "<none>");
    }

    @Test
    void aDeletedPodIsShownAsTerminating() {
        runningPod("web");
        api.delete(testNamespace.path("pods/web")).expect(200);

        assertThat(row(table(testNamespace.path("pods")), 3).get(2)).isEqualTo("Terminating");
    }

    @Test
    void aNodeShowsReadinessAndSchedulability() {
        String name = testNamespace.uniqueName("n");
        testNamespace.create(
                "/api/v1/nodes",
                Manifests.yaml(
                        "{apiVersion: v1, kind: Node, metadata: {name: %s, labels: {node-role.kubernetes.io/worker: ''}}, spec: {unschedulable: true}}"
                                .formatted(name)));
        api.patch(
                        "/api/v1/nodes/" + name + "/status",
                        HttpApi.MERGE_PATCH,
                        "{\"status\":{\"nodeInfo\":{\"kubeletVersion\":\"v1.36.4\"},\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}")
                .expect(200);

        List<String> row = row(table("/api/v1/nodes/" + name), 5);

        assertThat(row.subList(0, 3)).containsExactly(name, "Ready,SchedulingDisabled", "worker");
        assertThat(row.get(4)).isEqualTo("v1.36.4");
    }

    @Test
    void aRowIncludesObjectMetadataByDefault() {
        api.post(testNamespace.path("pods"), Manifests.pod("web")).expect(201);

        JsonNode partial = table(testNamespace.path("pods")).json().at("/rows/0/object");
        JsonNode whole =
                table(testNamespace.path("pods?includeObject=Object")).json().at("/rows/0/object");
        JsonNode none =
                table(testNamespace.path("pods?includeObject=None")).json().at("/rows/0/object");

        assertThat(partial.path("kind").asText()).isEqualTo("PartialObjectMetadata");
        assertThat(partial.at("/metadata/name").asText()).isEqualTo("web");
        assertThat(partial.has("spec")).isFalse();
        assertThat(whole.path("kind").asText()).isEqualTo("Pod");
        assertThat(whole.at("/spec/schedulerName").asText()).isEqualTo("nobody");
        assertThat(none.isNull() || none.isMissingNode()).isTrue();
    }

    @Test
    void aTableCarriesItsListsVersionAndContinuation() {
        api.post(testNamespace.path("pods"), Manifests.pod("a")).expect(201);
        api.post(testNamespace.path("pods"), Manifests.pod("b")).expect(201);

        ApiResponse table = table(testNamespace.path("pods?limit=1"));

        assertThat(table.resourceVersion()).matches("[1-9][0-9]*");
        assertThat(table.at("/metadata/continue")).isNotEmpty();
        assertThat(table.json().path("rows")).hasSize(1);
    }

    @Test
    void aWatchOfTablesNamesItsColumnsOnce() {
        api.post(testNamespace.path("pods"), Manifests.pod("a")).expect(201);
        try (ApiWatch watch = api.watch(testNamespace.path("pods"), TABLE)) {
            JsonNode first = watch.next().object();
            api.post(testNamespace.path("pods"), Manifests.pod("b")).expect(201);
            JsonNode second = watch.next().object();

            assertThat(first.path("kind").asText()).isEqualTo("Table");
            assertThat(first.path("columnDefinitions")).hasSize(9);
            assertThat(first.at("/rows/0/cells/0").asText()).isEqualTo("a");
            assertThat(second.path("columnDefinitions").isEmpty()).isTrue();
            assertThat(second.at("/rows/0/cells/0").asText()).isEqualTo("b");
        }
    }

    @Test
    void partialObjectMetadataIsServed() {
        api.post(testNamespace.path("pods"), Manifests.pod("web")).expect(201);

        ApiResponse list = api.send(ApiRequest.of("GET", testNamespace.path("pods"))
                        .accepting("application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"))
                .expect(200);

        assertThat(list.at("/kind")).isEqualTo("PartialObjectMetadataList");
        assertThat(list.names()).containsExactly("web");
        assertThat(list.json().at("/items/0").has("spec")).isFalse();
    }

    private void runningPod(String name) {
        ObjectNode pod = Manifests.pod(name);
        ((ObjectNode) pod.path("spec")).put("nodeName", "n1");
        api.post(testNamespace.path("pods"), pod).expect(201);
        String status = """
                {"status":{"phase":"Running","podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.1"}],
                 "conditions":[{"type":"Ready","status":"True"}],
                 "containerStatuses":[{"name":"main","image":"nginx","imageID":"","ready":true,"started":true,
                   "restartCount":2,"state":{"running":{"startedAt":"2026-01-01T00:00:00Z"}}}]}}
                """;
        api.patch(testNamespace.path("pods/" + name + "/status"), HttpApi.MERGE_PATCH, status)
                .expect(200);
    }

    private ApiResponse table(String path) {
        return api.send(ApiRequest.of("GET", path).accepting(TABLE)).expect(200);
    }

    private static List<String> row(ApiResponse table, int cells) {
        return StreamSupport.stream(table.json().at("/rows/0/cells").spliterator(), false)
                .limit(cells)
                .map(JsonNode::asText)
                .toList();
    }
}
