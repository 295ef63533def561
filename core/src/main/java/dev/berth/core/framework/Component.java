package dev.berth.core.framework;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.ComponentId;
import dev.berth.core.hold.Hold;
import java.time.Instant;
import java.util.Optional;

/**
 * A part of the scheduler that has objects, holds or writes of its own: a door or a {@link Plugin}. A component runs on
 * the thread that owns the ledger. It has neither clock nor I/O.
 *
 * <p>Facts may come in any order and before all objects are listed. A component then updates its state and puts holds
 * into the ledger. It writes in {@link #reconcile}, which is called once all objects are listed: there it compares what
 * its objects say with what they should say. A component that is killed between any two writes and restarted reaches
 * the same final state.
 *
 * <p>The handle that a component is given is valid for that one call.
 *
 * @param <C> the handle that the component is given
 */
public interface Component<C extends Handle> {
    ComponentId id();

    /** One of the component's own objects was added, changed or deleted. */
    default void onFact(Fact.ComponentFact fact, C handle) {}

    /** One of the component's holds is no longer in the ledger, though the component did not release it. */
    default void onHoldEnded(Hold hold, EndReason reason, C handle) {}

    /** Why a hold ended. */
    enum EndReason {
        DEADLINE,
        NODE_DELETED,
        /** The hold can no longer draw on its source, and the node has too few free resources for it. */
        DRAW_BROKEN
    }

    /** The API server answered one of the component's writes. */
    default void onWriteResult(Effect.Write write, WriteResult writeResult, C handle) {}

    /** All objects are listed, and something may have changed since the last call: the component writes now. */
    default void reconcile(C handle) {}

    /** When {@link #reconcile} should be called although no fact comes in. */
    default Optional<Instant> nextWake() {
        return Optional.empty();
    }

    /** The number of the component's writes that failed and will be tried again. */
    default int retryingWrites() {
        return 0;
    }
}
