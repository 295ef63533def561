package dev.berth.engine;

import dev.berth.core.decision.Pace;
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

    /** Does what is due, as far as there is time: what is left stays due. */
    void run(Instant now, Pace pace) {
        while (!due.isEmpty() && !due.peek().at().isAfter(now)) {
            due.remove().work().run();
            if (pace.timeIsUp()) {
                return;
            }
        }
    }

    Optional<Instant> next() {
        return Optional.ofNullable(due.peek()).map(Due::at);
    }
}
