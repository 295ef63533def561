package dev.berth.engine;

import dev.berth.core.effect.Effect;
import dev.berth.core.scheduling.TimeBudget;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** Effects that are not dispatched yet, in the order of the decisions. Owned by the loop. */
final class EffectQueue {
    private final Deque<Effect> effects = new ArrayDeque<>();
    private int binds;

    void add(List<Effect> more) {
        for (Effect effect : more) {
            effects.add(effect);
            binds += effect instanceof Effect.Bind ? 1 : 0;
        }
    }

    /** The number of binds among them: their pods are assumed already. */
    int binds() {
        return binds;
    }

    int size() {
        return effects.size();
    }

    /** Dispatches until the budget is exhausted; the rest follows in the next turn. */
    void dispatch(Consumer<Effect> to, TimeBudget timeBudget) {
        for (Effect effect = effects.poll(); effect != null; effect = effects.poll()) {
            binds -= effect instanceof Effect.Bind ? 1 : 0;
            to.accept(effect);
            if (timeBudget.isExhausted()) {
                return;
            }
        }
    }
}
