package dev.berth.sandbox.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.SandboxApiServer;
import dev.berth.sandbox.apiserver.InMemoryApiServer;
import dev.berth.sandbox.authentication.UserInfo;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.Patch;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.eventloop.EventLoopThread;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.eventloop.WakeSignal;
import dev.berth.sandbox.client.informer.Informer;
import dev.berth.sandbox.client.transport.HttpTransport;
import dev.berth.sandbox.client.transport.InProcessTransport;
import dev.berth.sandbox.client.transport.RestConfig;
import dev.berth.sandbox.client.transport.Transport;
import dev.berth.sandbox.controller.ControllerManager;
import dev.berth.sandbox.kubelet.KubeletSettings;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.sandbox.kubelet.SimulatedKubelets;
import dev.berth.sandbox.unstructured.Pods;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Everybody on threads of their own, in the process and over HTTPS. */
class ThreadedClusterTest {
    private static final String WEB = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web, namespace: default}
            spec:
              replicas: 20
              selector: {matchLabels: {app: web}}
              template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: nginx}]}}
            """;
    private final ManualClock time = new ManualClock();

    private LoopEnvironment environment(Transport transport) {
        return new LoopEnvironment(new DynamicClient(transport), time, new SplittableRandom(3), new WakeSignal());
    }

    @Test
    void twentyReplicasRunInTheProcess() throws InterruptedException {
        InMemoryApiServer server = new InMemoryApiServer(time, new SplittableRandom(7), 16_384);
        runTwentyReplicas(() -> new InProcessTransport(server, time, UserInfo.SYSTEM));
    }

    @Test
    void twentyReplicasRunOverHttps() throws InterruptedException, IOException {
        SandboxApiServer.Options options = SandboxApiServer.Options.of(time, new SplittableRandom(7));
        try (SandboxApiServer server = SandboxApiServer.start(options)) {
            RestConfig access = RestConfig.withoutCredentials(URI.create(server.url()))
                    .withCaCertificate(server.caCertificatePem())
                    .withToken(server.token());
            runTwentyReplicas(() -> new HttpTransport(access));
        }
    }

    private void runTwentyReplicas(Supplier<Transport> lines) throws InterruptedException {
        CountDownLatch ready = new CountDownLatch(20);
        CountDownLatch gone = new CountDownLatch(20);
        List<AutoCloseable> running = new ArrayList<>();
        LoopEnvironment kubelets = environment(lines.get());
        LoopEnvironment controllers = environment(lines.get());
        LoopEnvironment binder = environment(lines.get());
        LoopEnvironment onlooker = environment(lines.get());
        Informer pods = new Informer(onlooker, RestMapping.PODS, ListScope.ALL);
        pods.cache().addListener((before, after) -> {
            if (after.filter(Pods::isReady).isPresent()
                    && before.filter(Pods::isReady).isEmpty()) {
                ready.countDown();
            }
            if (after.isEmpty()) {
                gone.countDown();
            }
        });
        running.add(EventLoopThread.start("test-onlooker", pods, onlooker));
        running.add(SimulatedKubelets.start(kubelets, NodePool.of(3, "8", "32Gi", 110), KubeletSettings.DEFAULT, 2));
        running.add(EventLoopThread.start("test-controllers", new ControllerManager(controllers), controllers));
        running.add(EventLoopThread.start("test-binder", new TestBinder(binder), binder));
        ObjectNode web = onlooker.client().create(RestMapping.DEPLOYMENTS, TestCluster.parse(WEB));
        await(ready, "20 pods are ready");
        assertThat(web).isNotNull();
        onlooker.client()
                .patch(
                        RestMapping.DEPLOYMENTS.object("default", "web"),
                        Patch.merge(TestCluster.parse("{spec: {replicas: 0}}")));
        await(gone, "20 pods are gone");
        for (AutoCloseable each : running) {
            close(each);
        }
        for (LoopEnvironment each : List.of(kubelets, controllers, binder, onlooker)) {
            each.client().close();
        }
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("kubelet") || thread.getName().startsWith("test-")) {
                // A pool says that it has ended a moment before its last thread does.
                thread.join(10_000);
                assertThat(thread.isAlive()).as(thread.getName()).isFalse();
            }
        }
    }

    /** Waits, and pushes the clock on meanwhile: what failed once waits for its time to be tried again. */
    private void await(CountDownLatch latch, String what) throws InterruptedException {
        for (int i = 0; i < 6_000; i++) {
            if (latch.await(10, TimeUnit.MILLISECONDS)) {
                return;
            }
            time.advance(Duration.ofMillis(10));
        }
        throw new AssertionError("not within a minute: " + what);
    }

    private static void close(AutoCloseable each) {
        try {
            each.close();
        } catch (Exception e) {
            throw new AssertionError("cannot be closed: " + each, e);
        }
    }
}
