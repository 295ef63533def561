package dev.berth.e2e.scenario.inflight;

import static dev.berth.e2e.scenario.testcluster.NodeManifest.aNode;
import static dev.berth.e2e.scenario.testcluster.PodManifest.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.e2e.scenario.testcluster.Scenario;
import dev.berth.e2e.scenario.testcluster.TestClusterExtension;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.contract.WebhookServer;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Binds that the API server does not carry out, or not at once. */
@OnRealControlPlane
@OnStages(Stage.REAL)
@ExtendWith(TestClusterExtension.class)
@Timeout(180)
final class BindingOnRealTest {
    private static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1/";

    @Test
    void aBindDeniedByAPolicyIsReportedAndRetriedUntilThePolicyIsRemoved(Scenario scenario) {
        scenario.nodes(aNode("n"));
        denyBinds(scenario);

        scenario.pod(aPod("barred").asking("cpu=1"));
        JsonNode said = Eventually.get(() -> {
            JsonNode condition = scenario.get("barred").at("/status/conditions/0");
            assertThat(condition.path("reason").asText()).isEqualTo("SchedulerError");
            return condition;
        });
        assertThat(said.path("status").asText()).isEqualTo("False");
        assertThat(said.path("message").asText())
                .startsWith("the API server denied binding to node n: ")
                .contains("some pods are not to be bound");
        Eventually.holds(() -> assertThat(scenario.events("barred"))
                .anySatisfy(event -> assertThat(event.path("reason").asText()).isEqualTo("FailedScheduling")));
        scenario.pod(aPod("free").asking("cpu=1"));
        assertThat(scenario.nodeOf("free")).isEqualTo("n");

        scenario.api()
                .delete(ADMISSION + "validatingadmissionpolicybindings/barred")
                .expect(200);
        assertThat(scenario.nodeOf("barred")).isEqualTo("n");
    }

    @Test
    void aBindThatFailsTransientlyIsRetried(Scenario scenario) {
        scenario.nodes(aNode("n"));
        AtomicInteger binds = new AtomicInteger();
        try (BindingWebhook hook = new BindingWebhook(
                scenario,
                pod -> binds.incrementAndGet() == 1 ? WebhookServer.fault(500, "broken") : WebhookServer.allowed())) {
            scenario.pod(aPod("web"));
            assertThat(scenario.nodeOf("web")).isEqualTo("n");
            assertThat(hook.countRequests("web")).isGreaterThan(1);
        }
        Eventually.holds(() -> assertThat(scenario.events("web"))
                .extracting(event -> event.path("reason").asText())
                .containsExactly("Scheduled"));
    }

    @Test
    void aPodDeletedWhileItsBindIsInFlightReleasesItsCapacity(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=1"));
        BindingWebhook.PausedBind pausedBind = new BindingWebhook.PausedBind();
        try (BindingWebhook hook = BindingWebhook.pausing(scenario, "web", pausedBind)) {
            scenario.pod(aPod("web").asking("cpu=1"));
            pausedBind.awaitArrival();
            scenario.pod(aPod("next").asking("cpu=1"));
            assertThat(scenario.unschedulableMessage("next")).contains("1 Insufficient cpu");

            scenario.delete("web");
            pausedBind.release();
            assertThat(scenario.nodeOf("next")).isEqualTo("n");
            assertThat(hook.countRequests("web")).isEqualTo(1);
        }
    }

    /** The bind names the UID of the pod that is gone: the API server does not take the next one for it. */
    @Test
    void aPodRecreatedWhileTheOldBindIsInFlightIsBoundSeparately(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=1"));
        BindingWebhook.PausedBind pausedBind = new BindingWebhook.PausedBind();
        try (BindingWebhook hook = BindingWebhook.pausing(scenario, "web", pausedBind)) {
            scenario.pod(aPod("web").asking("cpu=1"));
            pausedBind.awaitArrival();
            scenario.delete("web");
            scenario.pod(aPod("web").asking("cpu=1"));
            pausedBind.release();

            assertThat(scenario.nodeOf("web")).isEqualTo("n");
            assertThat(hook.countRequests("web")).isEqualTo(2);
        }
        FreshListAssertions.assertLedgerEqualsFreshList(scenario);
    }

    @Test
    void aNodeRecreatedWhileABindIsInFlightCountsThePod(Scenario scenario) {
        scenario.nodes(aNode("n").offering("cpu=1"));
        BindingWebhook.PausedBind pausedBind = new BindingWebhook.PausedBind();
        try (BindingWebhook hook = BindingWebhook.pausing(scenario, "web", pausedBind)) {
            scenario.pod(aPod("web").asking("cpu=1"));
            pausedBind.awaitArrival();
            scenario.api().delete("/api/v1/nodes/n").expect(200);
            registerAgain(scenario);
            pausedBind.release();

            assertThat(scenario.nodeOf("web")).isEqualTo("n");
            assertThat(hook.countRequests("web")).isEqualTo(1);
        }
        scenario.pod(aPod("next").asking("cpu=1"));
        assertThat(scenario.unschedulableMessage("next")).contains("1 Insufficient cpu");
        FreshListAssertions.assertLedgerEqualsFreshList(scenario);
    }

    /** The node as a kubelet would that has lost its own: another of the same name. */
    private static void registerAgain(Scenario scenario) {
        String uid = scenario.api()
                .post("/api/v1/nodes", Manifests.yaml("""
                        metadata: {name: n, labels: {kubernetes.io/hostname: n}}
                        status:
                          capacity: {cpu: "1", memory: 32Gi, pods: "110"}
                          allocatable: {cpu: "1", memory: 32Gi, pods: "110"}
                          conditions: [{type: Ready, status: "True"}]
                        """))
                .expect(201)
                .uid();
        Eventually.holds(
                () -> assertThat(scenario.testCluster().berth().snapshot().node("n"))
                        .hasValueSatisfying(
                                state -> assertThat(state.node().uid().value()).isEqualTo(uid)));
    }

    /** Of pods whose names begin with barred. A dry run tells when the API server has heard of it. */
    private static void denyBinds(Scenario scenario) {
        scenario.object(ADMISSION + "validatingadmissionpolicies", """
                metadata: {name: barred}
                spec:
                  failurePolicy: Fail
                  matchConstraints:
                    resourceRules:
                    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods/binding]}
                  validations:
                  - expression: "!object.metadata.name.startsWith('barred')"
                    message: some pods are not to be bound
                """);
        scenario.object(ADMISSION + "validatingadmissionpolicybindings", """
                metadata: {name: barred}
                spec: {policyName: barred, validationActions: [Deny]}
                """);
        scenario.pod(aPod("barred-probe").spec("schedulerName: nobody"));
        Eventually.holds(() -> scenario.api()
                .post(
                        scenario.path("barred-probe") + "/binding?dryRun=All",
                        Manifests.binding("barred-probe", "nowhere"))
                .expect(422));
    }
}
