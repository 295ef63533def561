package dev.berth.engine;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.engine.LoopUnavailableException.Reason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * How other threads call the loop and wait for the reply: the Reserve API, the extender's bind, and the metrics. A
 * reply comes after the snapshot with its outcome is published. If the loop is not ready, too busy, too slow or has
 * ended, a {@link LoopUnavailableException} is thrown. Safe from any thread.
 */
public final class LoopClient {
    /** The watch of another scheduler may be slightly ahead of Berth's watch. */
    private static final Duration POD_WATCH_TIMEOUT = Duration.ofSeconds(2);

    private final LedgerLoop loop;
    private final Duration timeout;

    /** @param timeout how long a caller waits for a reply */
    public LoopClient(LedgerLoop loop, Duration timeout) {
        this.loop = loop;
        this.timeout = timeout;
    }

    /** Runs on the loop's thread, and completes the reply then or in a later turn. */
    @FunctionalInterface
    public interface Command<T> {
        void run(Scheduler scheduler, Reply<T> reply);
    }

    /** Either the command replies or the caller times out, never both. */
    public final class Reply<T> {
        private final CompletableFuture<T> future = new CompletableFuture<>();
        private final AtomicBoolean decided = new AtomicBoolean();

        private Reply() {}

        /**
         * Replies once the snapshot of this turn is published. Call this on the loop's thread.
         *
         * @return false if the caller has timed out: the command then undoes its decision
         */
        public boolean complete(T outcome) {
            boolean first = decided.compareAndSet(false, true);
            if (first) {
                loop.completeAfterPublish(future, outcome);
            }
            return first;
        }

        /** Whether the caller has timed out, or has its reply. */
        public boolean isDecided() {
            return decided.get();
        }

        private boolean cancel() {
            return decided.compareAndSet(false, true);
        }
    }

    /** Runs a query that does not need a listed cluster, such as for metrics. */
    public <T> T query(Function<Scheduler, T> question) throws LoopUnavailableException, InterruptedException {
        Reply<T> reply = new Reply<>();
        return await(
                submit(scheduler -> {
                    reply.complete(question.apply(scheduler));
                    return reply;
                }),
                reply);
    }

    /** Runs a command once the cluster is listed. */
    public <T> T call(Command<T> command) throws LoopUnavailableException, InterruptedException {
        Reply<T> reply = new Reply<>();
        return await(
                submit(scheduler -> {
                    if (loop.isReady()) {
                        command.run(scheduler, reply);
                    } else {
                        reply.future.completeExceptionally(
                                new LoopUnavailableException(Reason.NOT_READY, LedgerLoop.NOT_READY));
                    }
                    return reply;
                }),
                reply);
    }

    /**
     * Binds a pod of another scheduler to the node which that scheduler chose.
     *
     * @return empty if the pod is bound to the node, else the reason why it is not
     */
    public Optional<String> bind(PodUid pod, String node) throws LoopUnavailableException, InterruptedException {
        CompletableFuture<Optional<String>> result;
        try {
            result = loop.snapshot().pod(pod).isPresent()
                    ? loop.bindForeignPod(pod, node)
                    : loop.awaitSnapshot(state -> state.pod(pod).isPresent())
                            .completeOnTimeout(loop.snapshot(), POD_WATCH_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                            .thenCompose(shown -> loop.bindForeignPod(pod, node));
        } catch (RejectedExecutionException full) {
            throw tooBusy(full);
        }
        return get(result).orElseThrow(this::timedOut);
    }

    private <T> CompletableFuture<T> submit(Function<Scheduler, Reply<T>> command) throws LoopUnavailableException {
        try {
            return loop.submit(command).thenCompose(reply -> reply.future);
        } catch (RejectedExecutionException full) {
            throw tooBusy(full);
        }
    }

    private <T> T await(CompletableFuture<T> result, Reply<T> reply)
            throws LoopUnavailableException, InterruptedException {
        try {
            Optional<T> inTime = get(result);
            if (inTime.isPresent()) {
                return inTime.get();
            }
        } catch (InterruptedException interrupted) {
            reply.cancel();
            throw interrupted;
        }
        if (reply.cancel()) {
            throw timedOut();
        }
        // The loop has decided and is about to publish.
        return get(result)
                .orElseThrow(() -> new LoopUnavailableException(
                        Reason.REPLY_LATE, "no reply within %d ms".formatted(2 * timeout.toMillis())));
    }

    /** Empty if there is no reply in time. */
    private <T> Optional<T> get(CompletableFuture<T> result) throws LoopUnavailableException, InterruptedException {
        try {
            return Optional.of(result.get(timeout.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException late) {
            return Optional.empty();
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            if (cause instanceof LoopUnavailableException unavailable) {
                throw unavailable;
            }
            if (cause instanceof RejectedExecutionException full) {
                throw tooBusy(full);
            }
            throw new LoopUnavailableException(
                    Reason.FAILED, String.valueOf(cause == null ? failed : cause.getMessage()));
        }
    }

    private LoopUnavailableException timedOut() {
        return new LoopUnavailableException(
                Reason.TIMED_OUT, "no reply within %d ms: retry".formatted(timeout.toMillis()));
    }

    private static LoopUnavailableException tooBusy(RejectedExecutionException full) {
        return new LoopUnavailableException(Reason.TOO_BUSY, String.valueOf(full.getMessage()));
    }
}
