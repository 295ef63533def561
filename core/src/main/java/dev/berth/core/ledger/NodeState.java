package dev.berth.core.ledger;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;

/**
 * A node with its current use. Immutable: a change makes a new one with a greater generation. All vectors count pod slots
 * as the resource {@code pods}.
 *
 * @param slot a small number for arrays by node; it stays the same while the node exists, and is reused afterwards
 * @param used the requests of all active pods on the node, bound or assumed
 * @param outstanding what holds still hold in addition to what their claims and backers use
 * @param free allocatable − used − outstanding. While preemption victims terminate, it may be negative although nothing is
 *     missing, or not negative although something is missing: {@code shortfall} decides
 * @param shortfall what is missing for all pods and holds together. What is held twice until preemption victims have
 *     terminated does not count as missing
 * @param scoringUsed cpu and memory of the pods as the scores count them
 * @param pods the active pods, in an order that depends on their UIDs alone; assumed pods have no node name yet
 * @param ports host ports that pods use or holds hold
 * @param holds the holds on this node, in the order of their ids
 * @param neighbours the holds that count as pods for affinity and spread, in the order of their ids: they have a neighbour, and
 *     neither a claim nor a backer on the node. The same list as before if nothing of it changed
 */
public record NodeState(
        int slot,
        long generation,
        Node node,
        Resources used,
        Resources outstanding,
        Resources free,
        Resources shortfall,
        Resources scoringUsed,
        List<Pod> pods,
        List<HostPort> ports,
        List<HoldId> holds,
        List<Hold> neighbours) {

    /** The resources that are missing for pods and holds together, in the order of their names. */
    public List<Overcommitment> overcommitments() {
        List<Overcommitment> found = new ArrayList<>();
        for (int i = 0; i < shortfall.size(); i++) {
            ResourceName name = shortfall.nameAt(i);
            found.add(new Overcommitment(name, node.allocatable().get(name), used.get(name), outstanding.get(name)));
        }
        return found;
    }
}
