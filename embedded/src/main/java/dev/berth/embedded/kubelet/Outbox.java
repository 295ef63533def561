package dev.berth.embedded.kubelet;

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
final class Outbox implements AutoCloseable {
    private static final int END_WITHIN_SECONDS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);
    private static final int MOST_EVENTS = 100_000;

    private final List<ExecutorService> lanes = new ArrayList<>();
    private Executor events = Runnable::run;
    private final Queue<Runnable> outcomes = new ConcurrentLinkedQueue<>();
    private final List<ExecutorService> ending = new ArrayList<>();
    private final Runnable arrived;

    private Outbox(Runnable arrived) {
        this.arrived = arrived;
    }

    static Outbox direct() {
        return new Outbox(() -> {});
    }

    static Outbox threaded(int writers, Runnable arrived) {
        Outbox outbox = new Outbox(arrived);
        for (int i = 0; i < writers; i++) {
            outbox.lanes.add(lane("kubelet-writer-" + i, Integer.MAX_VALUE));
        }
        ExecutorService events = lane("kubelet-events", MOST_EVENTS);
        outbox.events = events;
        outbox.ending.addAll(outbox.lanes);
        outbox.ending.add(events);
        return outbox;
    }

    private static ExecutorService lane(String name, int longest) {
        return new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(longest),
                work -> {
                    Thread thread = new Thread(work, name);
                    thread.setDaemon(true);
                    return thread;
                },
                (work, lane) -> LOG.debug("{} is full or ending, a write is dropped", name));
    }

    /** Events have a thread of their own, so that no status waits for them; when it falls far behind they are dropped. */
    Executor events() {
        return events;
    }

    /** Does the write; then either the result or the failure is told, on the stepping thread. */
    <T> void send(Object lane, Supplier<T> write, Consumer<T> done, Consumer<RuntimeException> failed) {
        executor(lane).execute(() -> {
            Runnable outcome = attempt(write, done, failed);
            if (lanes.isEmpty()) {
                outcome.run();
            } else {
                outcomes.add(outcome);
                arrived.run();
            }
        });
    }

    private Executor executor(Object lane) {
        if (lanes.isEmpty()) {
            return Runnable::run;
        }
        return lanes.get(Math.floorMod(lane.hashCode(), lanes.size()));
    }

    private static <T> Runnable attempt(Supplier<T> write, Consumer<T> done, Consumer<RuntimeException> failed) {
        try {
            T result = write.get();
            return () -> done.accept(result);
        } catch (RuntimeException problem) {
            return () -> failed.accept(problem);
        }
    }

    /** Tells the outcomes that have come back; false when there are none. */
    boolean deliver() {
        boolean any = false;
        Runnable outcome = outcomes.poll();
        while (outcome != null) {
            any = true;
            outcome.run();
            outcome = outcomes.poll();
        }
        return any;
    }

    @Override
    public void close() {
        ending.forEach(ExecutorService::shutdownNow);
        for (ExecutorService lane : ending) {
            try {
                if (!lane.awaitTermination(END_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
