package dev.berth.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.e2e.pages.PageCluster;
import dev.berth.e2e.pages.RealPageCluster;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.contract.WebhookServer;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real API server refuses writes of Berth for a while, by a webhook: all objects come to say what is so. */
@OnRealControlPlane
@OnStages(Stage.REAL)
@Timeout(300)
final class RefusedWritesOnRealTest {
    private static final String WHY = "not today";

    /** How many more writes of the object of this name are refused, and with which code. */
    private record Refusal(int code, AtomicInteger remaining) {}

    private final Map<String, Refusal> refusals = new ConcurrentHashMap<>();

    @Test
    void everyObjectIsCorrectOnceTheApiServerAcceptsWrites() throws Exception {
        refuse("probe", 403);
        try (WebhookServer webhook = new WebhookServer(this::decide);
                PageCluster cluster = new RealPageCluster()) {
            install(webhook, cluster);
            aConflictWithoutANewVersionIsTriedAgain(cluster);
            aDeniedReservationHoldsNoCapacityAndIsAvailableWhenTheDenialEnds(cluster);
            aDeniedDeviceIsAvailableWhenTheDenialEnds(cluster);
            aDeniedConditionIsWrittenWhenTheDenialEnds(cluster);
            aDeniedNominationIsWrittenWhenTheDenialEnds(cluster);
        }
    }

    private void aConflictWithoutANewVersionIsTriedAgain(PageCluster cluster) {
        refusals.put("conflicting", new Refusal(409, new AtomicInteger(2)));
        apply(cluster, reservation("conflicting", "2", nodeSelector("node-0")));
        Eventually.holds(
                () -> assertThat(reservationPhase(cluster, "conflicting")).isEqualTo("Available"));
        assertThat(remaining("conflicting")).as("both conflicts happened").isNotPositive();
    }

    private void aDeniedReservationHoldsNoCapacityAndIsAvailableWhenTheDenialEnds(PageCluster cluster) {
        refuse("denied", 403);
        apply(cluster, reservation("denied", "6", nodeSelector("node-2")));
        awaitRefused("denied", 2);
        Eventually.holds(() -> assertThat(events(cluster, "denied"))
                .contains(
                        "WriteDenied",
                        "patch reservations.scheduling.koordinator.sh/status",
                        WHY,
                        "Berth tries again"));
        aPodIsPlacedWhereTheDeniedReservationWouldHoldCapacity(cluster);
        allow("denied");
        Eventually.holds(() -> assertThat(reservationPhase(cluster, "denied")).isEqualTo("Available"));
        Eventually.holds(() -> assertThat(events(cluster, "denied")).contains("WriteAllowed"));
    }

    /** The reservation is for node-2 alone: beside its 6 cpu the pod of 7 does not fit there. */
    private void aPodIsPlacedWhereTheDeniedReservationWouldHoldCapacity(PageCluster cluster) {
        apply(cluster, pod("squatter", "7", "", nodeSelector("node-2")));
        Eventually.holds(() ->
                assertThat(jsonPath(cluster, "pod squatter", "{.status.phase}")).isEqualTo("Running"));
        assertThat(jsonPath(cluster, "pod squatter", "{.spec.nodeName}")).isEqualTo("node-2");
        assertThat(remaining("denied")).as("the write is still denied").isPositive();
        assertThat(reservationPhase(cluster, "denied")).isNotEqualTo("Available");
        cluster.kubectl().run("delete pod squatter --force --grace-period=0").ok();
    }

    private void aDeniedDeviceIsAvailableWhenTheDenialEnds(PageCluster cluster) {
        refuse("gpu", 403);
        apply(cluster, """
                {"apiVersion": "extensions.berth.dev/v1alpha1", "kind": "ExtendedResource", "metadata": {"name": "gpu"},
                 "spec": {"rawResourceName": "nvidia.com-gpu", "deviceID": "gpu-0", "properties": {"type": "k80"},
                  "nodeAffinity": {"required": {"nodeSelectorTerms": [{"matchExpressions": [
                   {"key": "kubernetes.io/hostname", "operator": "In", "values": ["node-0"]}]}]}}}}
                """);
        awaitRefused("gpu", 2);
        allow("gpu");
        Eventually.holds(
                () -> assertThat(jsonPath(cluster, "extendedresources.extensions.berth.dev gpu", "{.status.phase}"))
                        .isEqualTo("Available"));
    }

    private void aDeniedConditionIsWrittenWhenTheDenialEnds(PageCluster cluster) {
        refuse("giant", 403);
        apply(cluster, pod("giant", "99", "", ""));
        awaitRefused("giant", 2);
        allow("giant");
        Eventually.holds(() -> assertThat(jsonPath(cluster, "pod giant", "{.status.conditions[0].message}"))
                .contains("Insufficient cpu"));
    }

    private void aDeniedNominationIsWrittenWhenTheDenialEnds(PageCluster cluster) {
        apply(cluster, """
                {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"},
                 "value": 1000}
                """);
        String free = nodeSelector("node-1");
        apply(cluster, pod("low", "7", "", free));
        Eventually.holds(() ->
                assertThat(jsonPath(cluster, "pod low", "{.status.phase}")).isEqualTo("Running"));
        refuse("vip", 403);
        apply(cluster, pod("vip", "7", "\"priorityClassName\": \"high\",", free));
        awaitRefused("vip", 2);
        assertThat(jsonPath(cluster, "pod low", "{.metadata.deletionTimestamp}"))
                .as("nobody is deleted before the node is nominated")
                .isEmpty();
        allow("vip");
        Eventually.holds(() ->
                assertThat(jsonPath(cluster, "pod vip", "{.status.phase}")).isEqualTo("Running"));
    }

    private static String nodeSelector(String node) {
        return "\"nodeSelector\": {\"kubernetes.io/hostname\": \"%s\"},".formatted(node);
    }

    private ObjectNode decide(JsonNode request) {
        Refusal refusal = refusals.get(request.path("name").asText());
        return refusal != null && refusal.remaining.getAndDecrement() > 0
                ? WebhookServer.denied(refusal.code, WHY)
                : WebhookServer.allowed();
    }

    private void refuse(String name, int code) {
        refusals.put(name, new Refusal(code, new AtomicInteger(Integer.MAX_VALUE)));
    }

    private void allow(String name) {
        refusals.remove(name);
    }

    private int remaining(String name) {
        Refusal refusal = refusals.get(name);
        return refusal == null ? 0 : refusal.remaining.get();
    }

    private void awaitRefused(String name, int times) {
        Eventually.holds(
                () -> assertThat(Integer.MAX_VALUE - remaining(name)).as(name).isGreaterThanOrEqualTo(times));
    }

    /** The API server hears of a configuration some time after it was made: a dry run tells. */
    private static void install(WebhookServer webhook, PageCluster cluster) {
        ObjectNode configuration = Manifests.yaml("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingWebhookConfiguration
                metadata: {name: refused-writes}
                webhooks:
                - name: refused-writes.example.com
                  admissionReviewVersions: [v1]
                  sideEffects: None
                  failurePolicy: Fail
                  rules:
                  - operations: [UPDATE]
                    apiGroups: [scheduling.koordinator.sh]
                    apiVersions: ['*']
                    resources: [reservations, reservations/status]
                  - operations: [UPDATE]
                    apiGroups: [extensions.berth.dev]
                    apiVersions: ['*']
                    resources: [extendedresources, extendedresources/status]
                  - {operations: [UPDATE], apiGroups: [''], apiVersions: [v1], resources: [pods/status]}
                """);
        ((ObjectNode) configuration.at("/webhooks/0")).set("clientConfig", webhook.clientConfig());
        apply(cluster, configuration.toString());
        apply(cluster, reservation("probe", "1", "").replace("koord-scheduler", "nobodys-scheduler"));
        Eventually.holds(() -> assertThat(cluster.kubectl()
                        .run("label reservations.scheduling.koordinator.sh probe a=b --overwrite --dry-run=server")
                        .refused()
                        .err())
                .contains(WHY));
    }

    private static void apply(PageCluster cluster, String object) {
        cluster.kubectl().run("create -f -", object).ok();
    }

    private static String reservationPhase(PageCluster cluster, String name) {
        return jsonPath(cluster, "reservations.scheduling.koordinator.sh " + name, "{.status.phase}");
    }

    private static String events(PageCluster cluster, String name) {
        return cluster.kubectl()
                .run("get events --all-namespaces --field-selector involvedObject.name=" + name)
                .ok()
                .out();
    }

    private static String jsonPath(PageCluster cluster, String object, String path) {
        return cluster.kubectl()
                .run("get %s -o jsonpath=%s".formatted(object, path))
                .ok()
                .out();
    }

    private static String pod(String name, String cpu, String priority, String selector) {
        return """
                {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "default"},
                 "spec": {"schedulerName": "koord-scheduler", "terminationGracePeriodSeconds": 0, %s %s
                  "containers": [{"name": "c", "image": "nginx", "resources": {"requests": {"cpu": "%s"}}}]}}
                """.formatted(name, priority, selector, cpu);
    }

    private static String reservation(String name, String cpu, String selector) {
        return """
                {"apiVersion": "scheduling.koordinator.sh/v1alpha1", "kind": "Reservation", "metadata": {"name": "%s"},
                 "spec": {"owners": [{"object": {"name": "nobody", "namespace": "default"}}], "ttl": "1h",
                  "template": {"metadata": {"namespace": "default"}, "spec": {"schedulerName": "koord-scheduler", %s
                   "containers": [{"name": "c", "image": "nginx", "resources": {"requests": {"cpu": "%s"}}}]}}}}
                """.formatted(name, selector, cpu);
    }
}
