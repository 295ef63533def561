package dev.berth.engine;

import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Pace;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** What was decided and is not yet let out, in the order in which it was decided. Owned by the loop. */
final class Outgoing {
    private final Deque<Effect> effects = new ArrayDeque<>();
    private int binds;

    void add(List<Effect> more) {
        for (Effect effect : more) {
            effects.add(effect);
            binds += effect instanceof Effect.Bind ? 1 : 0;
        }
    }

    /** How many of them are binds, whose pods are assumed already. */
    int binds() {
        return binds;
    }

    int size() {
        return effects.size();
    }

    /** What there is no time for goes out in the next turn. */
    void letOut(Consumer<Effect> to, Pace pace) {
        for (Effect effect = effects.poll(); effect != null; effect = effects.poll()) {
            binds -= effect instanceof Effect.Bind ? 1 : 0;
            to.accept(effect);
            if (pace.timeIsUp()) {
                return;
            }
        }
    }
}
