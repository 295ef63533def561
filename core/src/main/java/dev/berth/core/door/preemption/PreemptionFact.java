package dev.berth.core.door.preemption;

import dev.berth.core.decision.Fact;
import dev.berth.core.hold.Origin;

/** What the door reads besides pods and nodes. */
public sealed interface PreemptionFact extends Fact.OfDoor {
    record BudgetSeen(Budget budget) implements PreemptionFact {}

    record BudgetGone(String uid) implements PreemptionFact {}

    @Override
    default Origin.Door door() {
        return Origin.Door.PREEMPTION;
    }
}
