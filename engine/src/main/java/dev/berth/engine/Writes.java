package dev.berth.engine;

import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Outcome;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * What doors want written, on its way. Of each key one write is on its way at a time and the newest alone waits, so that
 * an API server that is down costs no more memory than there are objects. A busy or silent server is asked until it
 * answers; each write is safe to send twice. Owned by the loop.
 */
final class Writes {
    private static final Logger LOG = LoggerFactory.getLogger(Writes.class);
    /** After so many tries in vain somebody should know. */
    private static final int WORTH_A_WARNING = 5;

    private record Attempt(Effect.Write write, int tries) {}

    private final Cluster cluster;
    private final Consumer<Runnable> inbox;
    private final Deadlines deadlines;
    private final InstantSource clock;
    private final Terms terms;
    private final Map<String, Attempt> waiting = new LinkedHashMap<>();
    /** Keys of which a write is on its way or pauses. */
    private final Set<String> busy = new HashSet<>();

    /** Keys of which a write was sent that may have been written though no answer came. */
    private final Set<String> uncertain = new HashSet<>();

    private final DeniedWrites denials = new DeniedWrites();
    private int inFlight;

    /** What the loop has to say to writes, and hears of them. */
    interface Terms {
        boolean mayWrite();

        int limit();

        void settled(Effect.Write write, Outcome outcome);
    }

    Writes(Cluster cluster, Consumer<Runnable> inbox, Deadlines deadlines, InstantSource clock, Terms terms) {
        this.cluster = cluster;
        this.inbox = inbox;
        this.deadlines = deadlines;
        this.clock = clock;
        this.terms = terms;
    }

    void add(Effect.Write write) {
        waiting.put(write.key(), new Attempt(write, 0));
    }

    /** How many are on their way, or will be as long as this process leads. */
    int open() {
        if (!terms.mayWrite() || waiting.isEmpty()) {
            return busy.size();
        }
        int both = 0;
        for (String key : busy) {
            both += waiting.containsKey(key) ? 1 : 0;
        }
        return busy.size() + waiting.size() - both;
    }

    int inFlight() {
        return inFlight;
    }

    /** Sends what there is room for, as long as this process surely leads. */
    void send() {
        Iterator<Attempt> next = waiting.values().iterator();
        while (inFlight < terms.limit() && next.hasNext() && terms.mayWrite()) {
            Attempt attempt = next.next();
            if (busy.add(attempt.write().key())) {
                next.remove();
                send(attempt);
            }
        }
        for (DeniedWrites.Warning warning : denials.warnings(clock.instant())) {
            about(warning.last()).log(warning.words());
        }
    }

    private void send(Attempt attempt) {
        inFlight++;
        cluster.write(attempt.write())
                .whenComplete(
                        (answer, broken) -> inbox.accept(() -> answered(attempt, Binds.orUnknown(answer, broken))));
    }

    private void answered(Attempt attempt, Answer answer) {
        inFlight--;
        Effect.Write write = attempt.write();
        if (answer instanceof Answer.Done) {
            denials.written(write).forEach(LOG::info);
            settle(write, Outcome.WRITTEN);
        } else if (answer instanceof Answer.Conflict conflict) {
            settle(write, new Outcome(Outcome.Kind.CONFLICT, conflict.message()));
        } else if (answer instanceof Answer.Gone gone) {
            settle(write, new Outcome(Outcome.Kind.GONE, gone.message()));
        } else if (answer instanceof Answer.Denied denied) {
            denials.add(write, denied);
            // A door gives up what a denied write would have promised. An earlier try may have written it: look again
            // first.
            Outcome.Kind kind = uncertain.contains(write.key()) ? Outcome.Kind.CONFLICT : Outcome.Kind.DENIED;
            settle(write, new Outcome(kind, denied.message(), denied.request()));
        } else if (answer instanceof Answer.Throttled throttled) {
            again(attempt, throttled.after(), throttled.message());
        } else if (answer instanceof Answer.Unknown unknown) {
            uncertain.add(write.key());
            again(attempt, Duration.ZERO, unknown.message());
        }
    }

    private static LoggingEventBuilder about(Effect.Write write) {
        return LOG.atWarn().addKeyValue("door", write.door().word()).addKeyValue("object", write.object());
    }

    private void settle(Effect.Write write, Outcome outcome) {
        busy.remove(write.key());
        uncertain.remove(write.key());
        terms.settled(write, outcome);
    }

    private void again(Attempt attempt, Duration atLeast, String why) {
        int tries = attempt.tries() + 1;
        if (tries % WORTH_A_WARNING == 0) {
            about(attempt.write())
                    .addArgument(attempt.write().object())
                    .addArgument(tries)
                    .addArgument(why)
                    .log("{} could not be written after {} tries: {}");
        }
        Duration own = Binds.doubling(tries);
        Duration pause = atLeast.compareTo(own) > 0 ? atLeast : own;
        deadlines.at(clock.instant().plus(pause), () -> {
            busy.remove(attempt.write().key());
            waiting.putIfAbsent(attempt.write().key(), new Attempt(attempt.write(), tries));
        });
    }
}
