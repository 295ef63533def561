package dev.berth.sandbox.kubelet;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes on their way to the server. With writers, each on a thread of its own, writes of one lane keep their order and
 * their outcomes come back when the stepping thread asks; without, everything happens at once on the caller's thread.
 */
final class AsyncWriter implements AutoCloseable {
    private static final int SHUTDOWN_TIMEOUT_SECONDS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(AsyncWriter.class);
    private static final int MAX_QUEUED_EVENTS = 100_000;

    private final List<ExecutorService> lanes = new ArrayList<>();
    private Executor eventExecutor = Runnable::run;
    private final Queue<Runnable> callbacks = new ConcurrentLinkedQueue<>();
    private final List<ExecutorService> executors = new ArrayList<>();
    private final Runnable onAvailable;

    private AsyncWriter(Runnable onAvailable) {
        this.onAvailable = onAvailable;
    }

    static AsyncWriter synchronous() {
        return new AsyncWriter(() -> {});
    }

    static AsyncWriter withThreads(int writers, Runnable onAvailable) {
        AsyncWriter asyncWriter = new AsyncWriter(onAvailable);
        for (int i = 0; i < writers; i++) {
            asyncWriter.lanes.add(lane("kubelet-writer-" + i, Integer.MAX_VALUE));
        }
        ExecutorService events = lane("kubelet-events", MAX_QUEUED_EVENTS);
        asyncWriter.eventExecutor = events;
        asyncWriter.executors.addAll(asyncWriter.lanes);
        asyncWriter.executors.add(events);
        return asyncWriter;
    }

    private static ExecutorService lane(String name, int queueLimit) {
        return new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(queueLimit),
                work -> {
                    Thread thread = new Thread(work, name);
                    thread.setDaemon(true);
                    return thread;
                },
                (work, lane) -> LOG.debug("{} is full or ending, a write is dropped", name));
    }

    /** Events have a thread of their own, so that no status waits for them; when it falls far behind they are dropped. */
    Executor eventExecutor() {
        return eventExecutor;
    }

    /** Does the write; then either the result or the failure is told, on the stepping thread. */
    <T> void send(Object lane, Supplier<T> write, Consumer<T> onSuccess, Consumer<RuntimeException> onFailure) {
        executor(lane).execute(() -> {
            Runnable outcome = attempt(write, onSuccess, onFailure);
            if (lanes.isEmpty()) {
                outcome.run();
            } else {
                callbacks.add(outcome);
                onAvailable.run();
            }
        });
    }

    private Executor executor(Object lane) {
        if (lanes.isEmpty()) {
            return Runnable::run;
        }
        return lanes.get(Math.floorMod(lane.hashCode(), lanes.size()));
    }

    private static <T> Runnable attempt(
            Supplier<T> write, Consumer<T> onSuccess, Consumer<RuntimeException> onFailure) {
        try {
            T result = write.get();
            return () -> onSuccess.accept(result);
        } catch (RuntimeException problem) {
            return () -> onFailure.accept(problem);
        }
    }

    /** Tells the outcomes that have come back; false when there are none. */
    boolean runCallbacks() {
        boolean any = false;
        Runnable outcome = callbacks.poll();
        while (outcome != null) {
            any = true;
            outcome.run();
            outcome = callbacks.poll();
        }
        return any;
    }

    @Override
    public void close() {
        executors.forEach(ExecutorService::shutdownNow);
        for (ExecutorService lane : executors) {
            try {
                if (!lane.awaitTermination(SHUTDOWN_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
