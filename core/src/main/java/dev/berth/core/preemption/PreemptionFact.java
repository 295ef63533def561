package dev.berth.core.preemption;

import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Origin;

/** The objects that preemption reads besides pods and nodes. */
public sealed interface PreemptionFact extends Fact.ComponentFact {
    record BudgetUpserted(PodDisruptionBudget budget) implements PreemptionFact {}

    record BudgetDeleted(String uid) implements PreemptionFact {}

    @Override
    default Origin.PluginId component() {
        return Origin.PluginId.PREEMPTION;
    }
}
