package dev.berth.kubernetes.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A clock and a timer that stand still until they are pushed. */
public final class ManualTimer implements TaskTimer, InstantSource {
    private record Due(Instant at, long order, Runnable task) {}

    private final PriorityQueue<Due> due =
            new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::order));
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private long scheduled;

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ScheduledTask schedule(Duration delay, Runnable task) {
        Due later = new Due(now.plus(delay), scheduled++, task);
        due.add(later);
        return () -> due.remove(later);
    }

    /** Runs what is due now. */
    public void run() {
        advance(Duration.ZERO);
    }

    public void advance(Duration time) {
        Instant until = now.plus(time);
        while (!due.isEmpty() && !due.peek().at().isAfter(until)) {
            Due next = due.remove();
            now = next.at().isAfter(now) ? next.at() : now;
            next.task().run();
        }
        now = until;
    }
}
