package dev.berth.core.ledger;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import java.util.Set;

/** The pods and holds that a simulation removes from a node. */
public record Removals(Set<PodUid> pods, Set<HoldId> holds) {
    static final Removals NONE = new Removals(Set.of(), Set.of());

    public Removals {
        pods = Set.copyOf(pods);
        holds = Set.copyOf(holds);
    }
}
