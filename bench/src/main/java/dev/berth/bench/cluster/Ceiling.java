package dev.berth.bench.cluster;

import dev.berth.bench.cluster.PodWatch.Sighting;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Effect;
import dev.berth.engine.Answer;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.effects.ApiCluster;
import dev.berth.kubernetes.effects.ConditionBook;
import dev.berth.kubernetes.effects.EffectSettings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Binds without deciding anything: each of many connections has one bind under way, node after node in turn. */
final class Ceiling implements AutoCloseable {
    private static final int CONNECTIONS = 32;

    private final List<ApiClient> clients = new ArrayList<>();
    private final List<ApiCluster> ways = new ArrayList<>();
    private final int nodes;

    Ceiling(Stage stage, int nodes) {
        this.nodes = nodes;
        EffectSettings settings = new EffectSettings(Duration.ofSeconds(30), Duration.ofMinutes(5), "bench");
        for (int i = 0; i < CONNECTIONS; i++) {
            ApiClient client = stage.client();
            clients.add(client);
            ways.add(new ApiCluster(client, new ConditionBook(), settings, InstantSource.system()));
        }
    }

    /** Binds them all and waits for the answers. */
    void bind(List<Sighting> pods) throws InterruptedException {
        Course course = new Course(pods);
        ways.forEach(course::next);
        course.ended.await();
        if (!course.failure.isEmpty()) {
            throw new IllegalStateException("a bind failed: " + course.failure);
        }
    }

    private final class Course {
        private final List<Sighting> pods;
        private final AtomicInteger taken = new AtomicInteger();
        private final CountDownLatch ended;
        private volatile String failure = "";

        private Course(List<Sighting> pods) {
            this.pods = pods;
            this.ended = new CountDownLatch(pods.size());
        }

        private void next(ApiCluster way) {
            int number = taken.getAndIncrement();
            if (number < pods.size()) {
                way.bind(effect(pods.get(number), number)).whenComplete((answer, broken) -> {
                    if (broken != null) {
                        failure = broken.toString();
                    }
                    answered(way, answer);
                });
            }
        }

        private void answered(ApiCluster way, @Nullable Answer answer) {
            if (answer != null && !(answer instanceof Answer.Done)) {
                failure = answer.toString();
            }
            ended.countDown();
            next(way);
        }
    }

    private Effect.Bind effect(Sighting pod, int number) {
        Effect.PodRef ref = new Effect.PodRef(Bodies.NAMESPACE, pod.name(), new PodUid(pod.uid()), "none");
        return new Effect.Bind(ref, Bodies.nodeName(number % nodes), Map.of());
    }

    @Override
    public void close() {
        clients.forEach(ApiClient::close);
    }
}
