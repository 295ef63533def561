package dev.berth.core.ledger;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.Resources;
import java.util.List;

/**
 * The account of one node at one moment. Immutable: a change makes a new one with a greater generation. All vectors
 * count pod slots as the resource {@code pods}.
 *
 * @param slot a small number that stays the same while the node exists, for arrays by node; reused after it is gone
 * @param used requests of all pods that count here, bound or assumed
 * @param outstanding what holds keep beyond what their claims and backers already use
 * @param free allocatable − used − outstanding; negative where the node is over-committed
 * @param scoringUsed cpu and memory of the pods as the scores count them
 * @param pods the pods that count, in the order of their UIDs
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
        Resources scoringUsed,
        List<Pod> pods,
        List<HostPort> ports,
        List<HoldId> holds) {}
