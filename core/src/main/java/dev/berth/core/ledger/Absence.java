package dev.berth.core.ledger;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import java.util.Set;

/** What is thought away from a node to see how it would be without. */
public record Absence(Set<PodUid> pods, Set<HoldId> holds) {
    static final Absence NONE = new Absence(Set.of(), Set.of());

    public Absence {
        pods = Set.copyOf(pods);
        holds = Set.copyOf(holds);
    }
}
