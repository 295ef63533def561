package dev.berth.engine;

import dev.berth.core.decision.Effect;
import java.util.concurrent.CompletionStage;

/**
 * The port by which effects are written. Calls return at once and complete on any thread; each write is tried once, and
 * what comes of it is an {@link Answer}: trying again is the caller's decision. A stage never completes exceptionally
 * for what the network or the server did: that is {@link Answer.Unknown}.
 */
public interface Cluster {
    CompletionStage<Answer> bind(Effect.Bind bind);

    CompletionStage<Answer> mark(Effect.MarkUnscheduled mark);

    CompletionStage<Answer> announce(Effect.Announce announcement);

    /** Writes what a door wants; safe to ask twice. */
    CompletionStage<Answer> write(Effect.Write write);

    /** Reads the pod with a consistent read, to learn what came of a write whose answer was lost. */
    CompletionStage<Whereabouts> find(Effect.PodRef pod);
}
