package dev.berth.e2e.pages.devices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.Config;
import dev.berth.app.config.ExtenderSettings;
import dev.berth.app.config.HttpSettings;
import dev.berth.app.run.Berth;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubernetes.crd.CrdManifest;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.testkit.contract.Eventually;
import dev.berth.testkit.controlplane.ApiServerAccess;
import dev.berth.testkit.controlplane.Kubectl;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealCluster;
import dev.berth.testkit.stage.OnStages;
import dev.berth.testkit.stage.Stage;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * The real kube-scheduler as the second scheduler of kube-extended-resource's page, with Berth as its extender. Berth itself
 * serves another name.
 */
@OnRealControlPlane
@OnStages(Stage.REAL)
@Timeout(180)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class KubeSchedulerExtenderOnRealTest {
    private static final int NODES = 3;

    private RealCluster cluster;
    private Berth berth;

    @BeforeAll
    void start() throws InterruptedException {
        cluster = RealCluster.start(NodePool.of(NODES, "8", "32Gi", 110), InstantSource.system());
        for (CrdManifest kind : CrdManifest.values()) {
            type("apply -f -", kind.yaml());
            type("wait --for=condition=Established --timeout=30s crd/" + kind.crdName(), "");
        }
        ApiServerAccess access = cluster.controlPlane().access();
        berth = Berth.start(
                ClientConfig.withBearerToken(access.url(), access.caPem(), access.token()),
                Config.DEFAULT.withHttp(HttpSettings.DEFAULT.withExtender(ExtenderSettings.onPort(0))),
                InstantSource.system());
        berth.awaitReady(NODES);
        type("wait node --all --for=condition=Ready --timeout=60s", "");
        cluster.controlPlane().startKubeScheduler(this::configuration);
    }

    @AfterAll
    void close() {
        berth.close();
        cluster.close();
    }

    @AfterEach
    void clear() {
        type("delete pod --all --now", "");
        type("delete extendedresourceclaims --all", "");
        type("delete extendedresources --all", "");
        type("annotate node --all reserve.cpu/somebody-", "");
    }

    private String configuration(Path kubeconfig) {
        return """
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                leaderElection:
                  leaderElect: false
                clientConnection:
                  kubeconfig: %s
                percentageOfNodesToScore: 100
                podInitialBackoffSeconds: 1
                podMaxBackoffSeconds: 2
                profiles:
                - schedulerName: extended-resource-scheduler
                extenders:
                - urlPrefix: %s/api/v1/scheduler
                  filterVerb: filter
                  bindVerb: bind
                  httpTimeout: 10s
                  nodeCacheCapable: true
                """.formatted(kubeconfig, berth.extenderUrl().orElseThrow());
    }

    @Test
    void kubeSchedulerPutsThePodWhereItsDeviceIs() {
        type("apply -f -", device("er1", "node-2"));
        type("apply -f -", claim());
        type("apply -f -", pod("first", "1", "k80-erc"));

        Eventually.holds(() -> assertThat(field("pod first", "{.status.phase}")).isEqualTo("Running"));
        assertThat(field("pod first", "{.spec.nodeName}")).isEqualTo("node-2");
        assertThat(field("pod first", "{.metadata.annotations.berth\\.dev/devices}"))
                .isEqualTo("k80-erc=er1");
        Eventually.holds(() -> assertThat(field("extendedresourceclaim k80-erc", "{.status.phase}"))
                .isEqualTo("Bound"));

        type("apply -f -", pod("second", "1", "k80-erc"));
        Eventually.holds(
                () -> assertThat(field("pod second", "{.status.conditions[?(@.type=='PodScheduled')].message}"))
                        .contains("ExtendedResourceClaim k80-erc is bound to pod first"));
        type("delete pod first --now", "");
        // An extender cannot wake kube-scheduler, which may ask again before Berth has heard that the device is free.
        AtomicInteger happening = new AtomicInteger();
        Eventually.holds(() -> {
            type("label node node-1 --overwrite something=%d".formatted(happening.getAndIncrement()), "");
            assertThat(field("pod second", "{.spec.nodeName}")).isEqualTo("node-2");
        });
        assertThat(type("get events --field-selector reason=Scheduled,involvedObject.name=second -o name", "")
                        .lines())
                .as("kube-scheduler tells it, and nobody else")
                .hasSize(1);
    }

    @Test
    void kubeSchedulerDoesNotUseHeldCapacity() {
        type("annotate node node-1 node-2 reserve.cpu/somebody=7500m", "");
        Eventually.holds(
                () -> assertThat(berth.snapshot().node("node-2").orElseThrow().holds())
                        .hasSize(1));

        type("apply -f -", pod("one", "5", ""));
        type("apply -f -", pod("two", "5", ""));

        Eventually.holds(
                () -> assertThat(field("pods", "{.items[*].spec.nodeName}")).isEqualTo("node-0"));
        Eventually.holds(() -> assertThat(field("pods", "{.items[*].status.conditions[?(@.status=='False')].message}"))
                .contains("Insufficient cpu", "held by annotation of node node-1"));
        type("annotate node node-2 reserve.cpu/somebody-", "");
        Eventually.holds(
                () -> assertThat(berth.snapshot().node("node-2").orElseThrow().holds())
                        .isEmpty());
        // An extender cannot wake kube-scheduler: it asks again when it sees something happen in the cluster.
        type("label node node-2 something=happens", "");
        Eventually.holds(() -> assertThat(field("pods", "{.items[*].spec.nodeName}"))
                .contains("node-2")
                .contains("node-0"));
    }

    private Kubectl.Output type(String line, String input) {
        return cluster.controlPlane().kubectl().run(line, input).ok();
    }

    private String field(String what, String path) {
        String[] words = ("get " + what).split(" ");
        String[] all = Arrays.copyOf(words, words.length + 2);
        all[words.length] = "-o";
        all[words.length + 1] = "jsonpath=" + path;
        return cluster.controlPlane().kubectl().runArguments("", all).ok().out();
    }

    private static String device(String name, String node) {
        return """
                apiVersion: extensions.berth.dev/v1alpha1
                kind: ExtendedResource
                metadata: {name: %s}
                spec:
                  rawResourceName: nvidia.com-gpu
                  deviceID: gpu1
                  properties: {type: k80}
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                      - matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [%s]}]
                """.formatted(name, node);
    }

    private static String claim() {
        return """
                apiVersion: extensions.berth.dev/v1alpha1
                kind: ExtendedResourceClaim
                metadata: {name: k80-erc, namespace: default}
                spec:
                  rawResourceName: nvidia.com-gpu
                  metadataRequirements: {matchLabels: {type: k80}}
                  extendResourceNum: 1
                """;
    }

    private static String pod(String name, String cpu, String claims) {
        return """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  annotations: {%s}
                spec:
                  schedulerName: extended-resource-scheduler
                  terminationGracePeriodSeconds: 0
                  containers:
                  - name: nginx
                    image: nginx:1.14.2
                    resources: {requests: {cpu: "%s"}}
                """.formatted(name, claims.isEmpty() ? "" : "berth.dev/extended-resource-claims: " + claims, cpu);
    }
}
