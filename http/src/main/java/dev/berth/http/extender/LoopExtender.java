package dev.berth.http.extender;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.filter.Veto;
import dev.berth.engine.LedgerLoop;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Asks the loop that owns the ledger. */
public final class LoopExtender implements Extender {
    /** The other scheduler's watch may be ahead of ours by a moment. */
    private static final Duration POD_SHOWS_WITHIN = Duration.ofSeconds(2);

    private final LedgerLoop loop;
    private final Duration patience;

    /** @param patience how long to wait for an answer: less than the other scheduler does */
    public LoopExtender(LedgerLoop loop, Duration patience) {
        this.loop = loop;
        this.patience = patience;
    }

    @Override
    public Map<String, List<Veto>> vetoes(Pod pod, List<String> nodes) throws NoAnswer, InterruptedException {
        if (!loop.ready()) {
            throw new NoAnswer("Berth is still reading the cluster, or another leads");
        }
        return await(() -> loop.submit(decider -> decider.vetoes(pod, nodes)));
    }

    @Override
    public Optional<String> bind(PodUid pod, String node) throws NoAnswer, InterruptedException {
        if (loop.snapshot().pod(pod).isPresent()) {
            return await(() -> loop.bind(pod, node));
        }
        return await(() -> loop.when(state -> state.pod(pod).isPresent())
                .completeOnTimeout(loop.snapshot(), POD_SHOWS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                .thenCompose(shown -> loop.bind(pod, node)));
    }

    private <T> T await(Supplier<CompletableFuture<T>> question) throws NoAnswer, InterruptedException {
        try {
            return question.get().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException full) {
            throw new NoAnswer("Berth is busy: " + full.getMessage());
        } catch (TimeoutException late) {
            throw new NoAnswer("Berth has no answer after %d ms: ask again to learn it".formatted(patience.toMillis()));
        } catch (ExecutionException broken) {
            throw new NoAnswer("Berth cannot say: " + broken.getCause());
        }
    }
}
