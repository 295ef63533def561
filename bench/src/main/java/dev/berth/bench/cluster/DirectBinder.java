package dev.berth.bench.cluster;

import dev.berth.bench.cluster.BindWatcher.PodTimes;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.engine.WriteResponse;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.effects.ConditionDeduplicator;
import dev.berth.kubernetes.effects.EffectSettings;
import dev.berth.kubernetes.effects.EffectWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Binds without scheduling: each of many connections has one bind in flight, with the nodes in turn. */
final class DirectBinder implements AutoCloseable {
    private static final int CONNECTIONS = 32;

    private final List<ApiClient> clients = new ArrayList<>();
    private final List<EffectWriter> writers = new ArrayList<>();
    private final int nodes;

    DirectBinder(BenchmarkCluster benchmarkCluster, int nodes) {
        this.nodes = nodes;
        EffectSettings settings = new EffectSettings(Duration.ofSeconds(30), Duration.ofMinutes(5), "bench");
        for (int i = 0; i < CONNECTIONS; i++) {
            ApiClient client = benchmarkCluster.client();
            clients.add(client);
            writers.add(new EffectWriter(client, new ConditionDeduplicator(), settings, InstantSource.system()));
        }
    }

    /** Binds all pods and waits for the responses. */
    void bind(List<PodTimes> pods) throws InterruptedException {
        BindRun bindRun = new BindRun(pods);
        writers.forEach(bindRun::next);
        bindRun.ended.await();
        if (!bindRun.failure.isEmpty()) {
            throw new IllegalStateException("a bind failed: " + bindRun.failure);
        }
    }

    private final class BindRun {
        private final List<PodTimes> pods;
        private final AtomicInteger nextPod = new AtomicInteger();
        private final CountDownLatch ended;
        private volatile String failure = "";

        private BindRun(List<PodTimes> pods) {
            this.pods = pods;
            this.ended = new CountDownLatch(pods.size());
        }

        private void next(EffectWriter writer) {
            int number = nextPod.getAndIncrement();
            if (number < pods.size()) {
                writer.bind(effect(pods.get(number), number)).whenComplete((writeResponse, broken) -> {
                    if (broken != null) {
                        failure = broken.toString();
                    }
                    onResponse(writer, writeResponse);
                });
            }
        }

        private void onResponse(EffectWriter writer, @Nullable WriteResponse writeResponse) {
            if (writeResponse != null && !(writeResponse instanceof WriteResponse.Succeeded)) {
                failure = writeResponse.toString();
            }
            ended.countDown();
            next(writer);
        }
    }

    private Effect.Bind effect(PodTimes pod, int number) {
        Effect.PodRef ref = new Effect.PodRef(ApiObjectJson.NAMESPACE, pod.name(), new PodUid(pod.uid()), "none");
        return new Effect.Bind(ref, ApiObjectJson.nodeName(number % nodes), Map.of());
    }

    @Override
    public void close() {
        clients.forEach(ApiClient::close);
    }
}
