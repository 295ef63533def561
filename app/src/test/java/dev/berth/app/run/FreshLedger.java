package dev.berth.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.Config;
import dev.berth.core.decision.Effect;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.Snapshot;
import dev.berth.engine.Answer;
import dev.berth.engine.Cluster;
import dev.berth.engine.EngineSettings;
import dev.berth.engine.LedgerLoop;
import dev.berth.engine.Whereabouts;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.kubernetes.effects.ConditionBook;
import dev.berth.kubernetes.feed.ClusterFeed;
import dev.berth.kubernetes.feed.FeedSettings;
import dev.berth.kubernetes.http2.Limits;
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

    public static Snapshot read(ClusterAccess access, Config config) {
        InstantSource clock = InstantSource.system();
        try (ApiClient client = new ApiClient(access, Limits.DEFAULT, "fresh-ledger")) {
            Ledger ledger = new Ledger();
            Doors doors = Doors.open(config, ledger);
            LedgerLoop loop = new LedgerLoop(
                    Engine.decider(config, ledger, doors), new Deaf(), until -> false, clock, EngineSettings.DEFAULT);
            try (ClusterFeed feed = new ClusterFeed(
                    client,
                    loop,
                    new ConditionBook(),
                    FeedSettings.DEFAULT,
                    ClusterFeed.surroundings(client, clock, new SplittableRandom()),
                    doors.feeds())) {
                feed.start(Optional.empty());
                Eventually.holds(() -> {
                    loop.turn();
                    assertThat(loop.ready()).as("everything was listed").isTrue();
                });
                return loop.snapshot();
            }
        }
    }

    /** Takes everything and writes nothing. */
    private static final class Deaf implements Cluster {
        @Override
        public CompletionStage<Answer> bind(Effect.Bind bind) {
            return done();
        }

        @Override
        public CompletionStage<Answer> mark(Effect.MarkUnscheduled mark) {
            return done();
        }

        @Override
        public CompletionStage<Answer> announce(Effect.Announce announcement) {
            return done();
        }

        @Override
        public CompletionStage<Answer> write(Effect.Write write) {
            return done();
        }

        @Override
        public CompletionStage<Whereabouts> find(Effect.PodRef pod) {
            return CompletableFuture.completedFuture(new Whereabouts.NotKnown("nothing was sent"));
        }

        private static CompletionStage<Answer> done() {
            return CompletableFuture.completedFuture(new Answer.Done());
        }
    }
}
