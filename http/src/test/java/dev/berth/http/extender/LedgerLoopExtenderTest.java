package dev.berth.http.extender;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.core.cluster.Pod;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.ManualClock;
import dev.berth.engine.ApiServerClient;
import dev.berth.engine.EngineSettings;
import dev.berth.engine.FactSink;
import dev.berth.engine.Leadership;
import dev.berth.engine.LedgerLoop;
import dev.berth.engine.LoopThread;
import dev.berth.engine.PodLookupResult;
import dev.berth.engine.WriteResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The extender beside a loop that runs only when the test calls a turn. */
class LedgerLoopExtenderTest {
    private static final Pod POD = aPod("p").asking("2 cpu").build();

    private final LedgerLoop loop = loop();
    private final LedgerLoopExtender extender = new LedgerLoopExtender(loop, Duration.ofSeconds(5));

    private static LedgerLoop loop() {
        Ledger ledger = new Ledger();
        Scheduler scheduler = aScheduler(ledger).serving("berth-scheduler").build();
        return new LedgerLoop(
                scheduler, new NoApiServer(), Leadership.ALWAYS, new ManualClock(), EngineSettings.DEFAULT);
    }

    private static final class NoApiServer implements ApiServerClient {
        private static CompletionStage<WriteResponse> unreachable() {
            return CompletableFuture.completedFuture(new WriteResponse.Unknown("unreachable"));
        }

        @Override
        public CompletionStage<WriteResponse> bind(Effect.Bind bind) {
            return unreachable();
        }

        @Override
        public CompletionStage<WriteResponse> markUnscheduled(Effect.MarkUnscheduled mark) {
            return unreachable();
        }

        @Override
        public CompletionStage<WriteResponse> recordEvent(Effect.RecordEvent event) {
            return unreachable();
        }

        @Override
        public CompletionStage<WriteResponse> write(Effect.Write write) {
            return unreachable();
        }

        @Override
        public CompletionStage<PodLookupResult> findPod(Effect.PodRef pod) {
            return CompletableFuture.completedFuture(new PodLookupResult.ReadFailed("unreachable"));
        }
    }

    private void addNode(String name, String cpu) throws InterruptedException {
        loop.accept(new Fact.NodeUpserted(aNode(name).with(cpu, "10 pods").build()));
    }

    private void list() throws InterruptedException {
        for (FactSink.ListedKind listedKind : FactSink.ListedKind.values()) {
            loop.onListed(listedKind);
        }
        loop.turn();
    }

    private List<Veto.Code> codes(String node) throws Exception {
        return extender.filter(POD, List.of(node)).getOrDefault(node, List.of()).stream()
                .map(Veto::code)
                .toList();
    }

    @Test
    void filterReadsThePublishedStateWithoutATurnOfTheLoop() throws Exception {
        addNode("small", "1 cpu");
        addNode("large", "4 cpu");
        list();

        assertThat(codes("small")).containsExactly(Veto.Code.RESOURCE);
        assertThat(codes("large")).isEmpty();

        addNode("small", "2 cpu");
        assertThat(codes("small")).as("before the next turn").containsExactly(Veto.Code.RESOURCE);
        loop.turn();
        assertThat(codes("small")).as("after the next turn").isEmpty();
    }

    @Test
    void filterIsUnavailableOnceTheLoopHasEnded() throws Exception {
        addNode("large", "4 cpu");
        list();
        assertThat(codes("large")).isEmpty();

        new LoopThread(loop, EngineSettings.DEFAULT, bug -> {}).start().close();

        assertThatThrownBy(() -> codes("large"))
                .as("a loop that has ended publishes nothing more: its last state would book nodes twice")
                .isInstanceOf(Extender.ExtenderUnavailable.class);
    }

    @Test
    void filterIsUnavailableUntilTheClusterIsListed() throws Exception {
        addNode("large", "4 cpu");
        loop.turn();

        assertThatThrownBy(() -> codes("large"))
                .isInstanceOf(Extender.ExtenderUnavailable.class)
                .hasMessageContaining("has not listed the cluster");
        list();
        assertThat(codes("large")).isEmpty();
    }
}
