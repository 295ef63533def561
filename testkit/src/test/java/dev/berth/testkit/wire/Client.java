package dev.berth.testkit.wire;

import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.connection.Kubeconfig;
import dev.berth.kubernetes.effects.ApiCluster;
import dev.berth.kubernetes.effects.ConditionBook;
import dev.berth.kubernetes.effects.EffectSettings;
import dev.berth.kubernetes.feed.ClusterFeed;
import dev.berth.kubernetes.feed.FeedSettings;
import dev.berth.kubernetes.http2.Limits;
import dev.berth.testkit.controlplane.Access;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;

/** All of Berth that talks to an API server, in one piece. */
final class Client implements AutoCloseable {
    static final InstantSource CLOCK = InstantSource.system();

    final ApiClient api;
    final Diary diary = new Diary();
    final ConditionBook conditions = new ConditionBook();
    final ApiCluster cluster;
    private final ClusterFeed feed;

    Client(Access access) {
        try {
            Path kubeconfig = Files.createTempFile("berth-wire", ".kubeconfig");
            try {
                api = new ApiClient(
                        Kubeconfig.read(access.writeKubeconfig(kubeconfig)).access(CLOCK),
                        Limits.DEFAULT,
                        "berth/test");
            } finally {
                Files.delete(kubeconfig);
            }
        } catch (IOException unusable) {
            throw new UncheckedIOException(unusable);
        }
        cluster = new ApiCluster(
                api, conditions, new EffectSettings(Duration.ofSeconds(20), Duration.ofMinutes(5), "test"), CLOCK);
        feed = new ClusterFeed(
                api, diary, conditions, FeedSettings.DEFAULT, ClusterFeed.surroundings(api, CLOCK, new Random(1)));
    }

    Client watching() {
        feed.start(Optional.empty());
        return this;
    }

    Client watchingAfter(String version) {
        feed.start(Optional.of(version));
        return this;
    }

    @Override
    public void close() {
        feed.close();
        api.close();
    }
}
