package dev.berth.kubernetes.feed;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Node;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.door.annotation.AnnotationDoor;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.testing.ManualClock;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.engine.Answer;
import dev.berth.engine.Cluster;
import dev.berth.engine.EngineSettings;
import dev.berth.engine.FactSink;
import dev.berth.engine.Leadership;
import dev.berth.engine.LedgerLoop;
import dev.berth.engine.Whereabouts;
import dev.berth.kubernetes.door.annotation.NodeAnnotations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A node and what its annotations keep are one write of somebody, and must be one to the engine: here the engine decides
 * after whatever it is told, as it may when a thread is slow at the wrong moment.
 */
class NodeWithReservesTest {
    private final ManualClock clock = new ManualClock();
    private final BindingCluster cluster = new BindingCluster();
    private final LedgerLoop loop = loop();
    private final NodeListener listener = new NodeListener(new Facts(decidingAtOnce()), List.of(NodeAnnotations::read));

    @BeforeEach
    void aPodThatWaits() throws InterruptedException {
        for (FactSink.Source source : FactSink.Source.values()) {
            loop.listed(source);
        }
        decidingAtOnce()
                .accept(new Fact.PodSeen(aPod("stranger")
                        .asking("3 cpu")
                        .with(pod -> pod.schedulerName("berth-scheduler"))
                        .build()));
    }

    @Test
    void nobodySlipsInBetweenANewNodeAndItsAnnotation() {
        see(node("4 cpu").annotated("reserve.cpu/owner", "4"));

        assertThat(cluster.bound).isEmpty();
    }

    @Test
    void nobodySlipsInBetweenRoomThatComesAndTheAnnotationThatKeepsIt() {
        see(node("2 cpu"));
        see(node("6 cpu").annotated("reserve.cpu/owner", "4"));

        assertThat(cluster.bound).isEmpty();
    }

    @Test
    void whoFitsBesideWhatIsKeptIsPlaced() {
        see(node("8 cpu").annotated("reserve.cpu/owner", "4"));

        assertThat(cluster.bound).containsExactly("stranger");
    }

    /** Why the others would see it. */
    @Test
    void toldInTwoMessagesItWouldLetThePodIn() throws InterruptedException {
        Node node = node("4 cpu").annotated("reserve.cpu/owner", "4").build();
        decidingAtOnce().accept(new Fact.NodeSeen(node));
        decidingAtOnce().accept(NodeAnnotations.read(node));
        decide();

        assertThat(cluster.bound).containsExactly("stranger");
    }

    private static NodeBuilder node(String cpu) {
        return aNode("n1").with(cpu, "10 pods");
    }

    private void see(NodeBuilder node) {
        listener.seen("n1", node.build());
        decide();
    }

    /** The pod's back-off is over, and the loop turns until nothing is left to do. */
    private void decide() {
        clock.advance(Duration.ofSeconds(30));
        while (loop.turn()) {
            assertThat(cluster.bound).hasSizeLessThan(2);
        }
    }

    private FactSink decidingAtOnce() {
        return new FactSink() {
            @Override
            public void accept(Fact fact) throws InterruptedException {
                loop.accept(fact);
                decide();
            }

            @Override
            public void listed(Source source) throws InterruptedException {
                loop.listed(source);
            }
        };
    }

    private LedgerLoop loop() {
        Ledger ledger = new Ledger();
        Decider decider = new Decider(
                ledger,
                new Placer(ledger, ScoreWeights.DEFAULT),
                new SchedulingQueue(BackOff.DEFAULT),
                Set.of("berth-scheduler"),
                List.of(new AnnotationDoor()));
        return new LedgerLoop(decider, cluster, Leadership.ALWAYS, clock, EngineSettings.DEFAULT);
    }

    /** Takes everything, and remembers who was bound. */
    private static final class BindingCluster implements Cluster {
        private final List<String> bound = new ArrayList<>();

        @Override
        public CompletionStage<Answer> bind(Effect.Bind bind) {
            bound.add(bind.pod().name());
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
            return CompletableFuture.completedFuture(new Whereabouts.NotKnown("nobody asks"));
        }

        private static CompletionStage<Answer> done() {
            return CompletableFuture.completedFuture(new Answer.Done());
        }
    }
}
