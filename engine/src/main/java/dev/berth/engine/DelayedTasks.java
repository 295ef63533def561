package dev.berth.engine;

import dev.berth.core.scheduling.TimeBudget;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/** Tasks of the loop for a later time, ordered by time and then by insertion. Owned by the loop. */
final class DelayedTasks {
    private record Task(Instant at, long order, Runnable work) {}

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparing(Task::at).thenComparingLong(Task::order));
    private long scheduledCount;

    void schedule(Instant when, Runnable work) {
        tasks.add(new Task(when, scheduledCount++, work));
    }

    /** Runs due tasks until the budget is exhausted; the others stay due. */
    void runDue(Instant now, TimeBudget timeBudget) {
        while (!tasks.isEmpty() && !tasks.peek().at().isAfter(now)) {
            tasks.remove().work().run();
            if (timeBudget.isExhausted()) {
                return;
            }
        }
    }

    Optional<Instant> next() {
        return Optional.ofNullable(tasks.peek()).map(Task::at);
    }
}
