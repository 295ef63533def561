package dev.berth.embedded.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.ApiServer;
import dev.berth.embedded.EmbeddedApiServer;
import dev.berth.embedded.auth.User;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.Patch;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.Selection;
import dev.berth.embedded.client.mirror.Bell;
import dev.berth.embedded.client.mirror.Environment;
import dev.berth.embedded.client.mirror.Mirror;
import dev.berth.embedded.client.mirror.StepperThread;
import dev.berth.embedded.client.object.Pods;
import dev.berth.embedded.client.transport.HttpTransport;
import dev.berth.embedded.client.transport.InProcessTransport;
import dev.berth.embedded.client.transport.ServerAccess;
import dev.berth.embedded.client.transport.Transport;
import dev.berth.embedded.kubelet.KubeletSettings;
import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.embedded.kubelet.SimulatedKubelets;
import dev.berth.embedded.workload.WorkloadControllers;
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
class ThreadsTest {
    private static final String WEB = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web, namespace: default}
            spec:
              replicas: 20
              selector: {matchLabels: {app: web}}
              template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: nginx}]}}
            """;
    private final ManualTime time = new ManualTime();

    private Environment environment(Transport transport) {
        return new Environment(new ApiClient(transport), time, new SplittableRandom(3), new Bell());
    }

    @Test
    void twentyReplicasRunInTheProcess() throws InterruptedException {
        ApiServer server = new ApiServer(time, new SplittableRandom(7), 16_384);
        runTwentyReplicas(() -> new InProcessTransport(server, time, User.SYSTEM));
    }

    @Test
    void twentyReplicasRunOverHttps() throws InterruptedException, IOException {
        EmbeddedApiServer.Options options = EmbeddedApiServer.Options.of(time, new SplittableRandom(7));
        try (EmbeddedApiServer server = EmbeddedApiServer.start(options)) {
            ServerAccess access = ServerAccess.plain(URI.create(server.url()))
                    .trusting(server.authorityPem())
                    .withToken(server.token());
            runTwentyReplicas(() -> new HttpTransport(access));
        }
    }

    private void runTwentyReplicas(Supplier<Transport> lines) throws InterruptedException {
        CountDownLatch ready = new CountDownLatch(20);
        CountDownLatch gone = new CountDownLatch(20);
        List<AutoCloseable> running = new ArrayList<>();
        Environment kubelets = environment(lines.get());
        Environment controllers = environment(lines.get());
        Environment binder = environment(lines.get());
        Environment onlooker = environment(lines.get());
        Mirror pods = new Mirror(onlooker, Resource.PODS, Selection.ALL);
        pods.cache().listen((before, after) -> {
            if (after.filter(Pods::ready).isPresent()
                    && before.filter(Pods::ready).isEmpty()) {
                ready.countDown();
            }
            if (after.isEmpty()) {
                gone.countDown();
            }
        });
        running.add(StepperThread.start("test-onlooker", pods, onlooker));
        running.add(SimulatedKubelets.start(kubelets, NodePlan.nodes(3, "8", "32Gi", 110), KubeletSettings.DEFAULT, 2));
        running.add(StepperThread.start("test-controllers", new WorkloadControllers(controllers), controllers));
        running.add(StepperThread.start("test-binder", new TestBinder(binder), binder));
        ObjectNode web = onlooker.client().create(Resource.DEPLOYMENTS, Cluster.parse(WEB));
        await(ready, "20 pods are ready");
        assertThat(web).isNotNull();
        onlooker.client()
                .patch(Resource.DEPLOYMENTS.at("default", "web"), Patch.merge(Cluster.parse("{spec: {replicas: 0}}")));
        await(gone, "20 pods are gone");
        for (AutoCloseable each : running) {
            close(each);
        }
        for (Environment each : List.of(kubelets, controllers, binder, onlooker)) {
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
