package dev.berth.app.scenario.flight;

import static dev.berth.app.scenario.stage.NodeText.aNode;
import static dev.berth.app.scenario.stage.PodText.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.app.scenario.stage.On;
import dev.berth.app.scenario.stage.RealStage;
import dev.berth.app.scenario.stage.Scene;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.contract.WebhookServer;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Binds that the API server does not carry out, or not at once. */
@OnRealControlPlane
@On(RealStage.class)
@Timeout(180)
final class BindingOnRealTest {
    private static final String ADMISSION = "/apis/admissionregistration.k8s.io/v1/";

    @Test
    void aBindThatAPolicyDeniesIsToldAndTriedAgainUntilThePolicyIsLifted(Scene scene) {
        scene.nodes(aNode("n"));
        barBinds(scene);

        scene.pod(aPod("barred").asking("cpu=1"));
        JsonNode said = Eventually.got(() -> {
            JsonNode condition = scene.get("barred").at("/status/conditions/0");
            assertThat(condition.path("reason").asText()).isEqualTo("SchedulerError");
            return condition;
        });
        assertThat(said.path("status").asText()).isEqualTo("False");
        assertThat(said.path("message").asText())
                .startsWith("binding to node n was refused: ")
                .contains("some pods are not to be bound");
        Eventually.holds(() -> assertThat(scene.events("barred"))
                .anySatisfy(event -> assertThat(event.path("reason").asText()).isEqualTo("FailedScheduling")));
        scene.pod(aPod("free").asking("cpu=1"));
        assertThat(scene.nodeOf("free")).isEqualTo("n");

        scene.api()
                .delete(ADMISSION + "validatingadmissionpolicybindings/barred")
                .expect(200);
        assertThat(scene.nodeOf("barred")).isEqualTo("n");
    }

    @Test
    void aBindThatFailsOnceForNobodysFaultIsSentAgain(Scene scene) {
        scene.nodes(aNode("n"));
        AtomicInteger binds = new AtomicInteger();
        try (BindingHook hook = new BindingHook(
                scene,
                pod -> binds.incrementAndGet() == 1 ? WebhookServer.fault(500, "broken") : WebhookServer.allowed())) {
            scene.pod(aPod("web"));
            assertThat(scene.nodeOf("web")).isEqualTo("n");
            assertThat(hook.asked("web")).isGreaterThan(1);
        }
        Eventually.holds(() -> assertThat(scene.events("web"))
                .extracting(event -> event.path("reason").asText())
                .containsExactly("Scheduled"));
    }

    @Test
    void aPodThatIsDeletedWhileItsBindIsOnItsWayLeavesItsRoom(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=1"));
        BindingHook.Held held = new BindingHook.Held();
        try (BindingHook hook = BindingHook.holdingUp(scene, "web", held)) {
            scene.pod(aPod("web").asking("cpu=1"));
            held.awaitOnItsWay();
            scene.pod(aPod("next").asking("cpu=1"));
            assertThat(scene.whyPending("next")).contains("1 Insufficient cpu");

            scene.delete("web");
            held.letGo();
            assertThat(scene.nodeOf("next")).isEqualTo("n");
            assertThat(hook.asked("web")).isEqualTo(1);
        }
    }

    /** The bind names the UID of the pod that is gone: the API server does not take the next one for it. */
    @Test
    void aPodThatIsMadeAnewWhileTheBindOfTheFormerIsOnItsWayIsBoundByItself(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=1"));
        BindingHook.Held held = new BindingHook.Held();
        try (BindingHook hook = BindingHook.holdingUp(scene, "web", held)) {
            scene.pod(aPod("web").asking("cpu=1"));
            held.awaitOnItsWay();
            scene.delete("web");
            scene.pod(aPod("web").asking("cpu=1"));
            held.letGo();

            assertThat(scene.nodeOf("web")).isEqualTo("n");
            assertThat(hook.asked("web")).isEqualTo(2);
        }
        Fresh.assertLedgerIsThatOfAFreshList(scene);
    }

    @Test
    void aNodeThatIsRegisteredAnewWhileABindIsOnItsWayCountsThePodThatComes(Scene scene) {
        scene.nodes(aNode("n").offering("cpu=1"));
        BindingHook.Held held = new BindingHook.Held();
        try (BindingHook hook = BindingHook.holdingUp(scene, "web", held)) {
            scene.pod(aPod("web").asking("cpu=1"));
            held.awaitOnItsWay();
            scene.api().delete("/api/v1/nodes/n").expect(200);
            registerAgain(scene);
            held.letGo();

            assertThat(scene.nodeOf("web")).isEqualTo("n");
            assertThat(hook.asked("web")).isEqualTo(1);
        }
        scene.pod(aPod("next").asking("cpu=1"));
        assertThat(scene.whyPending("next")).contains("1 Insufficient cpu");
        Fresh.assertLedgerIsThatOfAFreshList(scene);
    }

    /** The node as a kubelet would that has lost its own: another of the same name. */
    private static void registerAgain(Scene scene) {
        String uid = scene.api()
                .post("/api/v1/nodes", Manifests.yaml("""
                        metadata: {name: n, labels: {kubernetes.io/hostname: n}}
                        status:
                          capacity: {cpu: "1", memory: 32Gi, pods: "110"}
                          allocatable: {cpu: "1", memory: 32Gi, pods: "110"}
                          conditions: [{type: Ready, status: "True"}]
                        """))
                .expect(201)
                .uid();
        Eventually.holds(() -> assertThat(scene.stage().berth().snapshot().node("n"))
                .hasValueSatisfying(
                        state -> assertThat(state.node().uid().value()).isEqualTo(uid)));
    }

    /** Of pods whose names begin with barred. A dry run tells when the API server has heard of it. */
    private static void barBinds(Scene scene) {
        scene.object(ADMISSION + "validatingadmissionpolicies", """
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
        scene.object(ADMISSION + "validatingadmissionpolicybindings", """
                metadata: {name: barred}
                spec: {policyName: barred, validationActions: [Deny]}
                """);
        scene.pod(aPod("barred-probe").spec("schedulerName: nobody"));
        Eventually.holds(() -> scene.api()
                .post(scene.path("barred-probe") + "/binding?dryRun=All", Manifests.binding("barred-probe", "nowhere"))
                .expect(422));
    }
}
