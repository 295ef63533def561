package dev.berth.core.ledger;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.HostPorts;
import dev.berth.core.hold.Hold;
import dev.berth.core.resource.Resources;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Puts a hold unless its resources are used or held. The ledger itself is changed and restored: what a hold needs depends
 * on its draws, and these depend on other holds.
 */
public final class HoldTrial {
    private HoldTrial() {}

    /**
     * Puts the hold in place of its earlier version and of the replaced hold, or leaves the ledger as it was.
     *
     * @param replaced a hold of another id
     * @return whether the hold is in the ledger now
     */
    public static boolean putIfFits(Ledger ledger, Hold hold, Optional<Hold> replaced) {
        Optional<Hold> before = ledger.hold(hold.id());
        Resources freeBefore = freeOn(ledger, hold);
        Resources freeLaterBefore = ledger.freeWithoutVictims(hold.node());
        replaced.ifPresent(it -> ledger.removeHold(it.id()));
        ledger.put(hold);
        List<HostPort> portsBefore = Stream.of(before, replaced)
                .flatMap(Optional::stream)
                .flatMap(it -> it.ports().stream())
                .toList();
        // While a victim is there, its requests may cover what the hold grows by. When it has left, nothing does.
        if (isOvercommitted(freeOn(ledger, hold), freeBefore)
                || isOvercommitted(ledger.freeWithoutVictims(hold.node()), freeLaterBefore)
                || isPortTaken(ledger, hold, portsBefore)) {
            before.ifPresentOrElse(ledger::put, () -> ledger.removeHold(hold.id()));
            replaced.ifPresent(ledger::put);
            return false;
        }
        return true;
    }

    private static Resources freeOn(Ledger ledger, Hold hold) {
        return ledger.node(hold.node()).map(NodeState::free).orElse(Resources.NONE);
    }

    /** Whether the free amount of a resource is negative and smaller than before. */
    private static boolean isOvercommitted(Resources free, Resources before) {
        for (int i = 0; i < free.size(); i++) {
            if (free.amountAt(i) < 0 && free.amountAt(i) < before.get(free.nameAt(i))) {
                return true;
            }
        }
        return false;
    }

    private static boolean isPortTaken(Ledger ledger, Hold hold, List<HostPort> before) {
        Set<HostPort> kept = Set.copyOf(before);
        List<HostPort> added =
                hold.ports().stream().filter(port -> !kept.contains(port)).toList();
        return !added.isEmpty() && HostPorts.conflict(added, ledger.usedPortsWith(hold));
    }
}
