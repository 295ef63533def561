package dev.berth.engine;

import dev.berth.core.decision.Effect;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Carries binds to the API server until it is known what became of each: a busy server is asked again when it said so, a
 * lost answer is looked up by reading the pod. The room stays assumed meanwhile. Owned by the loop; answers come back
 * through its inbox.
 */
final class Binds {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
    /** After so many tries of one bind the pod is better decided on anew: the world has moved. */
    private static final int MOST_TRIES = 5;

    private final Cluster cluster;
    private final Consumer<Runnable> inbox;
    private final Deadlines deadlines;
    private final InstantSource clock;
    private final Outcomes outcomes;
    private final Map<Effect.Bind, Integer> tries = new HashMap<>();

    Binds(Cluster cluster, Consumer<Runnable> inbox, Deadlines deadlines, InstantSource clock, Outcomes outcomes) {
        this.cluster = cluster;
        this.inbox = inbox;
        this.deadlines = deadlines;
        this.clock = clock;
        this.outcomes = outcomes;
    }

    /** What the loop has to say to binds, and hears of them. */
    interface Outcomes {
        /** Whether a write sent now is surely over while this process still leads. */
        boolean mayWrite();

        void settled(Effect.Bind bind, Answer answer);

        /** It was not sent, because somebody else may lead by now. */
        void withdrawn(Effect.Bind bind);
    }

    int inFlight() {
        return tries.size();
    }

    void send(Effect.Bind bind) {
        if (!outcomes.mayWrite()) {
            tries.remove(bind);
            outcomes.withdrawn(bind);
            return;
        }
        tries.merge(bind, 1, Integer::sum);
        cluster.bind(bind)
                .whenComplete((answer, broken) -> inbox.accept(() -> answered(bind, orUnknown(answer, broken))));
    }

    private void answered(Effect.Bind bind, Answer answer) {
        if (answer instanceof Answer.Throttled throttled && mayTryAgain(bind)) {
            later(pause(bind, throttled.after()), () -> send(bind));
        } else if (answer instanceof Answer.Unknown unknown) {
            lookUp(bind, unknown, 1);
        } else {
            settle(bind, answer);
        }
    }

    private void lookUp(Effect.Bind bind, Answer.Unknown unknown, int looks) {
        cluster.find(bind.pod())
                .whenComplete(
                        (found, broken) -> inbox.accept(() -> found(bind, unknown, looks, orNotKnown(found, broken))));
    }

    private void found(Effect.Bind bind, Answer.Unknown unknown, int looks, Whereabouts whereabouts) {
        if (whereabouts instanceof Whereabouts.OnNode on) {
            boolean ours = on.node().equals(bind.node());
            settle(bind, ours ? new Answer.Done() : new Answer.Conflict("bound to " + on.node() + " meanwhile"));
        } else if (whereabouts instanceof Whereabouts.Gone) {
            settle(bind, new Answer.Gone("deleted meanwhile"));
        } else if (whereabouts instanceof Whereabouts.NotKnown) {
            // The write may have happened: its room stays assumed for as long as nobody can tell.
            later(doubling(looks), () -> lookUp(bind, unknown, looks + 1));
        } else if (mayTryAgain(bind)) {
            later(doubling(looks), () -> send(bind));
        } else {
            settle(bind, new Answer.Conflict("no answer: " + unknown.message()));
        }
    }

    private void settle(Effect.Bind bind, Answer answer) {
        tries.remove(bind);
        outcomes.settled(bind, answer);
    }

    private boolean mayTryAgain(Effect.Bind bind) {
        return tries.getOrDefault(bind, 0) < MOST_TRIES;
    }

    private Duration pause(Effect.Bind bind, Duration asked) {
        Duration own = doubling(tries.getOrDefault(bind, 1));
        return asked.compareTo(own) > 0 ? asked : own;
    }

    private void later(Duration pause, Runnable work) {
        Instant when = clock.instant().plus(pause);
        deadlines.at(when, work);
    }

    static Duration doubling(int tries) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(tries - 1, 10));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    @SuppressWarnings("NullAway") // Exactly one of the two arguments of whenComplete is null.
    static Answer orUnknown(Answer answer, Throwable broken) {
        return broken == null ? answer : new Answer.Unknown(broken.toString());
    }

    @SuppressWarnings("NullAway") // Exactly one of the two arguments of whenComplete is null.
    private static Whereabouts orNotKnown(Whereabouts found, Throwable broken) {
        return broken == null ? found : new Whereabouts.NotKnown(broken.toString());
    }
}
