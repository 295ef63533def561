package dev.berth.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.Config;
import dev.berth.core.effect.Effect;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.Snapshot;
import dev.berth.engine.ApiServerClient;
import dev.berth.engine.EngineSettings;
import dev.berth.engine.LedgerLoop;
import dev.berth.engine.PodLookupResult;
import dev.berth.engine.WriteResponse;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.effects.ConditionDeduplicator;
import dev.berth.kubernetes.http2.ConnectionSettings;
import dev.berth.kubernetes.informer.ClusterInformers;
import dev.berth.kubernetes.informer.InformerSettings;
import dev.berth.testkit.contract.Eventually;
import java.time.InstantSource;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * What a Berth that starts now reads, with all doors: a ledger by a fresh list. It never leads, decides on no pod and
 * writes nothing.
 */
public final class FreshLedger {
    private FreshLedger() {}

    public static Snapshot read(ClientConfig access, Config config) {
        InstantSource clock = InstantSource.system();
        try (ApiClient client = new ApiClient(access, ConnectionSettings.DEFAULT, "fresh-ledger")) {
            Ledger ledger = new Ledger();
            EnabledDoors doors = EnabledDoors.create(config, ledger);
            SchedulerPlugins plugins = new SchedulerPlugins(config, ledger);
            LedgerLoop loop = new LedgerLoop(
                    SchedulerEngine.newScheduler(config, ledger, doors, plugins),
                    new NoOpCluster(),
                    until -> false,
                    clock,
                    EngineSettings.DEFAULT);
            try (ClusterInformers informers = new ClusterInformers(
                    client,
                    loop,
                    new ConditionDeduplicator(),
                    InformerSettings.DEFAULT,
                    ClusterInformers.reflectorContext(client, clock, new SplittableRandom()),
                    SchedulerEngine.informers(doors, plugins))) {
                informers.start(Optional.empty());
                Eventually.holds(() -> {
                    loop.turn();
                    assertThat(loop.isReady()).as("everything was listed").isTrue();
                });
                return loop.snapshot();
            }
        }
    }

    /** Takes everything and writes nothing. */
    private static final class NoOpCluster implements ApiServerClient {
        @Override
        public CompletionStage<WriteResponse> bind(Effect.Bind bind) {
            return done();
        }

        @Override
        public CompletionStage<WriteResponse> markUnscheduled(Effect.MarkUnscheduled mark) {
            return done();
        }

        @Override
        public CompletionStage<WriteResponse> recordEvent(Effect.RecordEvent announcement) {
            return done();
        }

        @Override
        public CompletionStage<WriteResponse> write(Effect.Write write) {
            return done();
        }

        @Override
        public CompletionStage<PodLookupResult> findPod(Effect.PodRef pod) {
            return CompletableFuture.completedFuture(new PodLookupResult.ReadFailed("nothing was sent"));
        }

        private static CompletionStage<WriteResponse> done() {
            return CompletableFuture.completedFuture(new WriteResponse.Succeeded());
        }
    }
}
