package dev.berth.kubernetes.informer;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Node;
import dev.berth.core.door.nodeannotation.NodeAnnotationDoor;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.ManualClock;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.engine.ApiServerClient;
import dev.berth.engine.EngineSettings;
import dev.berth.engine.FactSink;
import dev.berth.engine.Leadership;
import dev.berth.engine.LedgerLoop;
import dev.berth.engine.PodLookupResult;
import dev.berth.engine.WriteResponse;
import dev.berth.kubernetes.door.nodeannotation.NodeAnnotationParser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A node and the reserved resources of its annotations are one write of a user, and must be one fact for the engine.
 * Here the engine schedules after every fact, as it may when a thread is slow.
 */
class NodeEventHandlerTest {
    private final ManualClock clock = new ManualClock();
    private final BindingCluster cluster = new BindingCluster();
    private final LedgerLoop loop = loop();
    private final NodeEventHandler listener =
            new NodeEventHandler(new FactPublisher(schedulingFactSink()), List.of(NodeAnnotationParser::parse));

    @BeforeEach
    void addPendingPod() throws InterruptedException {
        for (FactSink.ListedKind listedKind : FactSink.ListedKind.values()) {
            loop.onListed(listedKind);
        }
        schedulingFactSink()
                .accept(new Fact.PodUpserted(aPod("stranger")
                        .asking("3 cpu")
                        .with(pod -> pod.schedulerName("berth-scheduler"))
                        .build()));
    }

    @Test
    void noPodIsPlacedOnANewNodeBeforeItsReserveAnnotationCounts() {
        upsert(node("4 cpu").annotated("reserve.cpu/owner", "4"));

        assertThat(cluster.bound).isEmpty();
    }

    @Test
    void noPodTakesNewCapacityThatTheReserveAnnotationKeeps() {
        upsert(node("2 cpu"));
        upsert(node("6 cpu").annotated("reserve.cpu/owner", "4"));

        assertThat(cluster.bound).isEmpty();
    }

    @Test
    void aPodThatFitsInAdditionToTheReservedAmountIsPlaced() {
        upsert(node("8 cpu").annotated("reserve.cpu/owner", "4"));

        assertThat(cluster.bound).containsExactly("stranger");
    }

    /** Why the others would see it. */
    @Test
    void ifNodeAndAnnotationWereTwoFactsThePodWouldBePlaced() throws InterruptedException {
        Node node = node("4 cpu").annotated("reserve.cpu/owner", "4").build();
        schedulingFactSink().accept(new Fact.NodeUpserted(node));
        schedulingFactSink().accept(NodeAnnotationParser.parse(node));
        runUntilIdle();

        assertThat(cluster.bound).containsExactly("stranger");
    }

    private static NodeBuilder node(String cpu) {
        return aNode("n1").with(cpu, "10 pods");
    }

    private void upsert(NodeBuilder node) {
        listener.onUpsert("n1", node.build());
        runUntilIdle();
    }

    /** The pod's back-off is over, and the loop turns until nothing is left to do. */
    private void runUntilIdle() {
        clock.advance(Duration.ofSeconds(30));
        while (loop.turn()) {
            assertThat(cluster.bound).hasSizeLessThan(2);
        }
    }

    private FactSink schedulingFactSink() {
        return new FactSink() {
            @Override
            public void accept(Fact fact) throws InterruptedException {
                loop.accept(fact);
                runUntilIdle();
            }

            @Override
            public void onListed(ListedKind listedKind) throws InterruptedException {
                loop.onListed(listedKind);
            }
        };
    }

    private LedgerLoop loop() {
        Ledger ledger = new Ledger();
        Scheduler scheduler = aScheduler(ledger)
                .serving("berth-scheduler")
                .withDoors(new NodeAnnotationDoor())
                .build();
        return new LedgerLoop(scheduler, cluster, Leadership.ALWAYS, clock, EngineSettings.DEFAULT);
    }

    /** Accepts everything, and records the bound pods. */
    private static final class BindingCluster implements ApiServerClient {
        private final List<String> bound = new ArrayList<>();

        @Override
        public CompletionStage<WriteResponse> bind(Effect.Bind bind) {
            bound.add(bind.pod().name());
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
            return CompletableFuture.completedFuture(new PodLookupResult.ReadFailed("nobody asks"));
        }

        private static CompletionStage<WriteResponse> done() {
            return CompletableFuture.completedFuture(new WriteResponse.Succeeded());
        }
    }
}
