package dev.berth.engine;

import dev.berth.core.decision.Effect;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
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
    private final Duration writeTimeout;
    private final Outcomes outcomes;
    private final Map<Effect.Bind, Course> courses = new HashMap<>();

    /** @param unsure whether an answer was lost: that write may be carried out for as long as its timeout */
    private record Course(int tries, boolean unsure) {
        private static final Course BEGUN = new Course(0, false);
    }

    /**
     * A look for a pod.
     *
     * @param otherwise what came of its bind if the pod is found unbound
     * @param last whether nothing more is tried then
     */
    private record Look(Answer otherwise, int looks, boolean last) {
        private Look again() {
            return new Look(otherwise, looks + 1, last);
        }
    }

    Binds(
            Cluster cluster,
            Consumer<Runnable> inbox,
            Deadlines deadlines,
            InstantSource clock,
            Duration writeTimeout,
            Outcomes outcomes) {
        this.cluster = cluster;
        this.inbox = inbox;
        this.deadlines = deadlines;
        this.clock = clock;
        this.writeTimeout = writeTimeout;
        this.outcomes = outcomes;
    }

    /** What the loop has to say to binds, and hears of them. */
    interface Outcomes {
        /** Whether a write sent now is surely over while this process still leads. */
        boolean mayWrite();

        /** What the watch has shown to have come of it; empty while it is merely assumed. */
        Optional<Answer> shown(Effect.Bind bind);

        void settled(Effect.Bind bind, Answer answer);

        /** It was not sent, because somebody else may lead by now. */
        void withdrawn(Effect.Bind bind);
    }

    int inFlight() {
        return courses.size();
    }

    void send(Effect.Bind bind) {
        Course course = courses.getOrDefault(bind, Course.BEGUN);
        if (outcomes.mayWrite()) {
            courses.put(bind, new Course(course.tries() + 1, course.unsure()));
            cluster.bind(bind)
                    .whenComplete((answer, broken) -> inbox.accept(() -> answered(bind, orUnknown(answer, broken))));
        } else if (course.unsure()) {
            lookForTheLastTime(bind, new Answer.Conflict("the lead may be lost"));
        } else {
            courses.remove(bind);
            outcomes.withdrawn(bind);
        }
    }

    private void answered(Effect.Bind bind, Answer answer) {
        Course course = courses.getOrDefault(bind, Course.BEGUN);
        if (answer instanceof Answer.Throttled throttled && mayTryAgain(bind)) {
            later(pause(bind, throttled.after()), () -> unlessShown(bind, () -> send(bind)));
        } else if (answer instanceof Answer.Unknown) {
            courses.put(bind, new Course(course.tries(), true));
            lookUp(bind, new Look(answer, 1, false));
        } else if (course.unsure() && !(answer instanceof Answer.Done) && !(answer instanceof Answer.Gone)) {
            lookForTheLastTime(bind, answer);
        } else {
            settle(bind, answer);
        }
    }

    /** When the pod cannot be read, as by a right that is missing, the watch will tell all the same. */
    private void unlessShown(Effect.Bind bind, Runnable otherwise) {
        outcomes.shown(bind).ifPresentOrElse(answer -> settle(bind, answer), otherwise);
    }

    private void lookUp(Effect.Bind bind, Look look) {
        unlessShown(
                bind,
                () -> cluster.find(bind.pod())
                        .whenComplete(
                                (found, broken) -> inbox.accept(() -> found(bind, look, orNotKnown(found, broken)))));
    }

    /** A write whose answer was lost may be carried out for as long as its timeout: what is seen after that stays. */
    private void lookForTheLastTime(Effect.Bind bind, Answer otherwise) {
        later(writeTimeout, () -> lookUp(bind, new Look(otherwise, 1, true)));
    }

    private void found(Effect.Bind bind, Look look, Whereabouts whereabouts) {
        if (whereabouts instanceof Whereabouts.OnNode on) {
            boolean ours = on.node().equals(bind.node());
            settle(bind, ours ? new Answer.Done() : new Answer.Conflict("bound to " + on.node() + " meanwhile"));
        } else if (whereabouts instanceof Whereabouts.Gone) {
            settle(bind, new Answer.Gone("deleted meanwhile"));
        } else if (whereabouts instanceof Whereabouts.NotKnown) {
            // The write may have happened: its room stays assumed for as long as nobody can tell.
            later(doubling(look.looks()), () -> lookUp(bind, look.again()));
        } else if (look.last()) {
            settle(bind, look.otherwise());
        } else if (mayTryAgain(bind)) {
            later(doubling(look.looks()), () -> unlessShown(bind, () -> send(bind)));
        } else {
            lookForTheLastTime(bind, look.otherwise());
        }
    }

    private void settle(Effect.Bind bind, Answer answer) {
        courses.remove(bind);
        outcomes.settled(bind, answer);
    }

    private boolean mayTryAgain(Effect.Bind bind) {
        return tries(bind) < MOST_TRIES;
    }

    private int tries(Effect.Bind bind) {
        return courses.getOrDefault(bind, Course.BEGUN).tries();
    }

    private Duration pause(Effect.Bind bind, Duration asked) {
        Duration own = doubling(Math.max(1, tries(bind)));
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
