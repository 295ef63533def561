package dev.berth.engine;

import dev.berth.core.scheduling.TimeBudget;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The work that waits for the loop: facts, responses to its own writes, and commands. Facts are applied in the order of
 * arrival. A command runs after the facts that came before it. If these take longer than a turn, the command runs
 * first: it never waits behind a burst, and reads the state of a watch that is slightly behind.
 */
final class Inbox {
    private static final int MAX_TASKS_PER_DRAIN = 4_096;

    private final BlockingQueue<OrderedTask> orderedTasks;
    private final BlockingQueue<QueuedCommand> commands;
    /** At most as many as writes in flight, and never rejected. */
    private final Queue<Runnable> responses = new ConcurrentLinkedQueue<>();

    private final AtomicLong factsAccepted = new AtomicLong();
    /** Facts that were applied; read and written by the loop's thread only. */
    private long factsProcessed;

    /**
     * Work that runs in the order of arrival.
     *
     * @param reject called if the loop has ended
     */
    private record OrderedTask(Runnable work, Consumer<IllegalStateException> reject) {
        private static OrderedTask of(Runnable work) {
            return new OrderedTask(work, why -> {});
        }
    }

    /**
     * Work of a caller that waits for its reply.
     *
     * @param factsBefore the number of facts that had arrived before it
     * @param reject called if the loop has ended
     */
    private record QueuedCommand(Runnable work, Consumer<IllegalStateException> reject, long factsBefore) {}

    Inbox(int size) {
        this.orderedTasks = new ArrayBlockingQueue<>(size);
        this.commands = new ArrayBlockingQueue<>(size);
    }

    /** Blocks while the queue is full. */
    void put(Runnable fact) throws InterruptedException {
        factsAccepted.incrementAndGet();
        orderedTasks.put(OrderedTask.of(() -> {
            factsProcessed++;
            fact.run();
        }));
    }

    /** For work that must run after the facts that arrived before it. Returns whether the inbox was not full. */
    boolean offerInOrder(Runnable work, Consumer<IllegalStateException> reject) {
        return orderedTasks.offer(new OrderedTask(work, reject));
    }

    /** Returns whether the inbox was not full. */
    boolean offer(Runnable work, Consumer<IllegalStateException> reject) {
        boolean accepted = commands.offer(new QueuedCommand(work, reject, factsAccepted.get()));
        wake();
        return accepted;
    }

    void addResponse(Runnable response) {
        responses.add(response);
        wake();
    }

    /** A full queue needs no wake-up: the loop is busy with it. */
    void wake() {
        orderedTasks.offer(OrderedTask.of(() -> {}));
    }

    int size() {
        return orderedTasks.size() + commands.size();
    }

    boolean isEmpty() {
        return orderedTasks.isEmpty() && commands.isEmpty() && responses.isEmpty();
    }

    /** Waits until something arrives, or until the timeout. Returns whether something arrived. */
    boolean await(Duration pause) throws InterruptedException {
        OrderedTask first = orderedTasks.poll(pause.toNanos(), TimeUnit.NANOSECONDS);
        if (first != null) {
            first.work().run();
        }
        return first != null;
    }

    /** Runs all commands, and as much other work as there is time for. */
    void drain(TimeBudget timeBudget) {
        boolean more = drainResponses(timeBudget);
        for (int i = 0; more && i < MAX_TASKS_PER_DRAIN; i++) {
            runDueCommands();
            OrderedTask orderedTask = orderedTasks.poll();
            if (orderedTask != null) {
                orderedTask.work().run();
            }
            more = orderedTask != null && !timeBudget.isExhausted();
        }
        for (int i = commands.size(); i > 0; i--) {
            run(commands.poll());
        }
    }

    /** Returns whether there is time left. */
    private boolean drainResponses(TimeBudget timeBudget) {
        for (Runnable response = responses.poll(); response != null; response = responses.poll()) {
            response.run();
            if (timeBudget.isExhausted()) {
                return false;
            }
        }
        return true;
    }

    private void runDueCommands() {
        QueuedCommand next = commands.peek();
        while (next != null && next.factsBefore() <= factsProcessed) {
            run(commands.poll());
            next = commands.peek();
        }
    }

    private static void run(@Nullable QueuedCommand command) {
        if (command != null) {
            command.work().run();
        }
    }

    /** The loop has ended: nothing in the inbox will run. */
    void rejectAll(IllegalStateException why) {
        for (OrderedTask orderedTask = orderedTasks.poll(); orderedTask != null; orderedTask = orderedTasks.poll()) {
            orderedTask.reject().accept(why);
        }
        for (QueuedCommand command = commands.poll(); command != null; command = commands.poll()) {
            command.reject().accept(why);
        }
    }
}
