package dev.berth.e2e.scenario.testcluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.Config;
import dev.berth.app.run.Berth;
import dev.berth.e2e.run.ReadyBerth;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.contract.HttpApi;
import dev.berth.testkit.contract.Manifests;
import dev.berth.testkit.controlplane.RealCluster;
import dev.berth.testkit.controlplane.RealControlPlane;
import java.time.InstantSource;
import java.util.Set;

/**
 * A real control plane with kube-scheduler itself: scenarios that play here as they do elsewhere ask of Berth what
 * kube-scheduler does, and nothing else. Berth only looks on, so that scenes know what has been heard of.
 */
public final class KubeSchedulerTestCluster implements TestCluster {
    private static final String PROFILES = """
            profiles:
            - schedulerName: default-scheduler
            - schedulerName: %s
              plugins: {postFilter: {disabled: [{name: DefaultPreemption}]}}
            - schedulerName: %s
              pluginConfig:
              - name: NodeResourcesFit
                args:
                  scoringStrategy:
                    type: MostAllocated
                    resources:
                    - {name: cpu, weight: 1}
                    - {name: memory, weight: 1}
                    - {name: example.com/gpu, weight: 2}
            """.formatted(NON_PREEMPTING_SCHEDULER, PACKING_SCHEDULER);

    private static final Config OBSERVER_CONFIG = CONFIG.withSchedulerNames(Set.of("onlooker"));

    private final RealCluster cluster = RealCluster.start(NodePool.of(0, "8", "32Gi", 110), InstantSource.system());
    private final HttpApi api = new HttpApi(cluster.controlPlane().access());
    private Berth observer;

    public KubeSchedulerTestCluster() throws InterruptedException {
        cluster.controlPlane()
                .startKubeScheduler(
                        kubeconfig -> RealControlPlane.defaultSchedulerConfiguration(kubeconfig) + PROFILES);
        observer = ReadyBerth.start(cluster.controlPlane().access(), OBSERVER_CONFIG, 0);
    }

    @Override
    public HttpApi api() {
        return api;
    }

    @Override
    public Berth berth() {
        return observer;
    }

    /** kube-scheduler says how many nodes it knows when it refuses a pod. */
    @Override
    public void awaitNodes(int count) {
        Eventually.holds(() -> {
            String pod = "/api/v1/namespaces/default/pods";
            api.post(pod, Manifests.yaml("""
                            apiVersion: v1
                            kind: Pod
                            metadata: {name: probe}
                            spec:
                              nodeSelector: {example.com/nobody: has-this}
                              containers: [{name: main, image: pause}]
                            """)).expect(201);
            try {
                String said = Eventually.get(() -> {
                    String message = api.get(pod + "/probe").expect(200).at("/status/conditions/0/message");
                    assertThat(message)
                            .as("what kube-scheduler says of a pod that fits nowhere")
                            .isNotEmpty();
                    return message;
                });
                assertThat(said)
                        .startsWith(
                                count == 0
                                        ? "no nodes available to schedule pods"
                                        : "0/%d nodes are available".formatted(count));
            } finally {
                api.delete(pod + "/probe?gracePeriodSeconds=0").expect(200);
            }
        });
    }

    @Override
    public void restartBerth() throws InterruptedException {
        observer.kill();
        observer = ReadyBerth.startAfterKill(cluster.controlPlane().access(), OBSERVER_CONFIG, 0);
    }

    @Override
    public void close() {
        observer.close();
        cluster.close();
    }
}
