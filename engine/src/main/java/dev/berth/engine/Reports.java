package dev.berth.engine;

import dev.berth.core.decision.Effect;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Conditions and events on their way. They give way to binds: an event sent between two binds costs the API server the
 * better part of a bind, sent afterwards it costs nobody anything. None is lost while the server may still take it.
 * Owned by the loop.
 */
final class Reports {
    private static final Logger LOG = LoggerFactory.getLogger(Reports.class);
    private static final int MOST_TRIES = 8;

    private record Report(Effect effect, int tries) {}

    private final Cluster cluster;
    private final Consumer<Runnable> inbox;
    private final Deadlines deadlines;
    private final InstantSource clock;
    private final Predicate<Effect> stillTrue;
    private final int limit;
    private final Deque<Report> waiting = new ArrayDeque<>();
    private int inFlight;
    private int paused;

    Reports(
            Cluster cluster,
            Consumer<Runnable> inbox,
            Deadlines deadlines,
            InstantSource clock,
            Predicate<Effect> stillTrue,
            int limit) {
        this.cluster = cluster;
        this.inbox = inbox;
        this.deadlines = deadlines;
        this.clock = clock;
        this.stillTrue = stillTrue;
        this.limit = limit;
    }

    void add(Effect effect) {
        waiting.add(new Report(effect, 0));
    }

    /** How many are not yet written. */
    int open() {
        return waiting.size() + inFlight + paused;
    }

    /** Sends what there is room for. */
    void send() {
        while (inFlight < limit && !waiting.isEmpty()) {
            Report report = waiting.remove();
            if (!stillTrue.test(report.effect())) {
                continue;
            }
            inFlight++;
            write(report.effect())
                    .whenComplete(
                            (answer, broken) -> inbox.accept(() -> answered(report, Binds.orUnknown(answer, broken))));
        }
    }

    private CompletionStage<Answer> write(Effect effect) {
        if (effect instanceof Effect.MarkUnscheduled mark) {
            return cluster.mark(mark);
        }
        if (effect instanceof Effect.Announce announcement) {
            return cluster.announce(announcement);
        }
        throw new IllegalArgumentException("effect (%s) is no report".formatted(effect));
    }

    private void answered(Report report, Answer answer) {
        inFlight--;
        if (answer instanceof Answer.Throttled throttled) {
            again(report, throttled.after().toMillis(), throttled.message());
        } else if (answer instanceof Answer.Unknown unknown) {
            again(report, 0, unknown.message());
        } else if (answer instanceof Answer.Denied denied) {
            LOG.warn("{} could not be told: {}", report.effect(), denied.message());
        }
    }

    private void again(Report report, long atLeastMillis, String why) {
        int tries = report.tries() + 1;
        if (tries >= MOST_TRIES) {
            LOG.warn("{} could not be told after {} tries: {}", report.effect(), tries, why);
            return;
        }
        paused++;
        long millis = Math.max(atLeastMillis, Binds.doubling(tries).toMillis());
        deadlines.at(clock.instant().plusMillis(millis), () -> {
            paused--;
            waiting.add(new Report(report.effect(), tries));
        });
    }
}
