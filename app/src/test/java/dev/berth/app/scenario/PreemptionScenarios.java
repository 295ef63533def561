package dev.berth.app.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.pages.UserPage;
import dev.berth.testkit.controlplane.KubernetesVersion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Pods of more priority on a full cluster of three nodes of 8 cpus. */
abstract class PreemptionScenarios extends UserPage {
    PreemptionScenarios(Opening opening) {
        super(opening);
    }

    @BeforeAll
    void priorities() {
        priority("low", 10, "");
        priority("high", 1000, "");
        priority("patient", 1000, "preemptionPolicy: Never");
    }

    @AfterEach
    void takeEverythingBack() {
        type("delete poddisruptionbudgets --all").ok();
        type("delete pods --all --grace-period=0 --force").ok();
        eventually(() -> assertThat(podsOf("app")).isEmpty());
    }

    @Test
    void aPodOfMorePriorityTakesTheRoomOfALesserOne() {
        fill();

        pod("vip", "high", "6", "node-2");

        assertThat(nodeOfRunning("vip")).isEqualTo("node-2");
        assertThat(podsOf("app")).containsExactlyInAnyOrder("filler-0", "filler-1", "vip");
        eventually(() -> assertThat(type("get events --field-selector reason=Preempted")
                        .ok()
                        .out())
                .contains("pod/filler-2", "Preempted by pod " + print("get pod vip", "{.metadata.uid}")));
    }

    @Test
    void aPodThatNeverPreemptsWaits() {
        fill();

        pod("meek", "patient", "6", "node-2");

        assertThat(whyPending("meek")).endsWith("preemption: not eligible due to preemptionPolicy=Never.");
        assertThat(podsOf("app")).hasSize(4);
    }

    @Test
    void whomABudgetProtectsIsSparedWhereAnotherCanGo() {
        type("apply -f -", """
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata:
                  name: guarded
                spec:
                  minAvailable: 2
                  selector:
                    matchExpressions:
                      - {key: app, operator: In, values: [filler-0, filler-2]}
                """).ok();
        fill();

        type("apply -f -", manifest("vip", "high", "6", "")).ok();

        assertThat(nodeOfRunning("vip")).isEqualTo("node-1");
        assertThat(podsOf("app")).containsExactlyInAnyOrder("filler-0", "filler-2", "vip");
    }

    @Test
    void whatIsClearedIsKeptThroughARestartUntilTheVictimIsGone() throws InterruptedException {
        fill();
        type("patch pod filler-2 --type=merge -p {\"metadata\":{\"finalizers\":[\"example.com/wait\"]}}")
                .ok();
        pod("vip", "high", "6", "node-2");
        eventually(() ->
                assertThat(print("get pod vip", "{.status.nominatedNodeName}")).isEqualTo("node-2"));
        eventually(() -> assertThat(print("get pod filler-2", "{.metadata.deletionTimestamp}"))
                .isNotEmpty());

        cluster().restartBerth();
        pod("thief", "low", "5", "node-2");
        assertThat(whyPending("thief")).contains("Insufficient cpu");
        type("patch pod filler-2 --type=merge -p {\"metadata\":{\"finalizers\":null}}")
                .ok();

        assertThat(nodeOfRunning("vip")).isEqualTo("node-2");
        assertThat(whyPending("thief")).contains("Insufficient cpu");
        KubernetesVersion.exceptIn("1.32", "the API server leaves a bound pod its nomination");
        assertThat(print("get pod vip", "{.status.nominatedNodeName}")).isEmpty();
    }

    private void fill() {
        for (int i = 0; i < 3; i++) {
            pod("filler-" + i, "low", "6", "node-" + i);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(nodeOfRunning("filler-" + i)).isEqualTo("node-" + i);
        }
    }

    private void priority(String name, int value, String more) {
        type("apply -f -", """
                apiVersion: scheduling.k8s.io/v1
                kind: PriorityClass
                metadata:
                  name: %s
                value: %d
                %s
                """.formatted(name, value, more)).ok();
    }

    private void pod(String name, String priority, String cpu, String node) {
        type("apply -f -", manifest(name, priority, cpu, "nodeSelector: {kubernetes.io/hostname: %s}".formatted(node)))
                .ok();
    }

    private static String manifest(String name, String priority, String cpu, String where) {
        return """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  labels: {app: %s}
                spec:
                  priorityClassName: %s
                  terminationGracePeriodSeconds: 0
                  %s
                  containers:
                    - name: main
                      image: registry.k8s.io/pause
                      resources:
                        requests: {cpu: "%s"}
                """.formatted(name, name, priority, where, cpu);
    }
}
