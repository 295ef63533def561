package dev.berth.engine;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/** What the loop has to do later, in the order of time and, at the same instant, of asking. Owned by the loop. */
final class Deadlines {
    private record Due(Instant at, long order, Runnable work) {}

    private final PriorityQueue<Due> due =
            new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::order));
    private long asked;

    void at(Instant when, Runnable work) {
        due.add(new Due(when, asked++, work));
    }

    void run(Instant now) {
        while (!due.isEmpty() && !due.peek().at().isAfter(now)) {
            due.remove().work().run();
        }
    }

    Optional<Instant> next() {
        return Optional.ofNullable(due.peek()).map(Due::at);
    }
}
