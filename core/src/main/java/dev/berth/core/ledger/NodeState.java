package dev.berth.core.ledger;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;

/**
 * The account of one node at one moment. Immutable: a change makes a new one with a greater generation. All vectors
 * count pod slots as the resource {@code pods}.
 *
 * @param slot a small number that stays the same while the node exists, for arrays by node; reused after it is gone
 * @param used requests of all pods that count here, bound or assumed
 * @param outstanding what holds keep beyond what their claims and backers already use
 * @param free allocatable − used − outstanding. While preemption victims leave it may be negative although nothing is
 *     missing, or not negative although something is: {@code missing} decides
 * @param missing by how much more is used and kept than there is, where it is more, and without what is kept twice until
 *     victims of preemption have left
 * @param scoringUsed cpu and memory of the pods as the scores count them
 * @param pods the pods that count, in an order that depends on their UIDs alone; those only assumed do not name their node yet
 * @param ports host ports in use by pods or kept by holds
 * @param holds the holds on this node, in the order of their ids
 */
public record NodeState(
        int slot,
        long generation,
        Node node,
        Resources used,
        Resources outstanding,
        Resources free,
        Resources missing,
        Resources scoringUsed,
        List<Pod> pods,
        List<HostPort> ports,
        List<HoldId> holds) {

    /** The resources of which more is used and kept than there is, in the order of their names; mostly none. */
    public List<Overcommitment> overcommitments() {
        List<Overcommitment> found = new ArrayList<>();
        for (int i = 0; i < missing.size(); i++) {
            ResourceName name = missing.nameAt(i);
            found.add(new Overcommitment(name, node.allocatable().get(name), used.get(name), outstanding.get(name)));
        }
        return found;
    }
}
