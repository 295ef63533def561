package dev.berth.testkit.integration;

import dev.berth.kubeclient.kubeconfig.Kubeconfig;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.effects.ConditionDeduplicator;
import dev.berth.kubernetes.effects.EffectSettings;
import dev.berth.kubernetes.effects.EffectWriter;
import dev.berth.kubernetes.http2.ConnectionSettings;
import dev.berth.kubernetes.informer.ClusterInformers;
import dev.berth.kubernetes.informer.InformerSettings;
import dev.berth.testkit.controlplane.ApiServerAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;

/** All of Berth that talks to an API server, in one piece. */
final class BerthApiSide implements AutoCloseable {
    static final InstantSource CLOCK = InstantSource.system();

    final ApiClient api;
    final RecordingFactSink recordingFactSink = new RecordingFactSink();
    final ConditionDeduplicator conditions = new ConditionDeduplicator();
    final EffectWriter cluster;
    private final ClusterInformers informers;

    BerthApiSide(ApiServerAccess access) {
        try {
            Path kubeconfig = Files.createTempFile("berth-wire", ".kubeconfig");
            try {
                api = new ApiClient(
                        Kubeconfig.read(access.writeKubeconfig(kubeconfig)).clientConfig(CLOCK),
                        ConnectionSettings.DEFAULT,
                        "berth/test");
            } finally {
                Files.delete(kubeconfig);
            }
        } catch (IOException unusable) {
            throw new UncheckedIOException(unusable);
        }
        cluster = new EffectWriter(
                api, conditions, new EffectSettings(Duration.ofSeconds(20), Duration.ofMinutes(5), "test"), CLOCK);
        informers = new ClusterInformers(
                api,
                recordingFactSink,
                conditions,
                InformerSettings.DEFAULT,
                ClusterInformers.reflectorContext(api, CLOCK, new Random(1)));
    }

    BerthApiSide startInformers() {
        informers.start(Optional.empty());
        return this;
    }

    BerthApiSide startInformersAfter(String version) {
        informers.start(Optional.of(version));
        return this;
    }

    @Override
    public void close() {
        informers.close();
        api.close();
    }
}
