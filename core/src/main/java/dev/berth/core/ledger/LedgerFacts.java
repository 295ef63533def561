package dev.berth.core.ledger;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Workload;
import dev.berth.core.cluster.neighbour.Namespace;
import dev.berth.core.hold.Hold;
import java.util.Comparator;
import java.util.List;

/**
 * Everything a ledger was told and still believes, sorted by identity: what all its amounts follow from. Two ledgers
 * with equal facts have equal accounts.
 *
 * @param confirmed what was assumed with a hold or a record and has shown since: this process promised it, whatever the
 *     pods' annotations and the holds' owners say by now
 */
public record LedgerFacts(
        List<Node> nodes,
        List<Pod> pods,
        List<Hold> holds,
        List<Workload> workloads,
        List<Assumption> assumptions,
        List<Assumption> confirmed,
        List<Namespace> namespaces) {

    private static final Comparator<Workload> BY_NAMESPACE = Comparator.comparing(Workload::namespace)
            .thenComparing(Workload::kind)
            .thenComparing(Workload::name);

    public LedgerFacts {
        nodes = nodes.stream().sorted(Comparator.comparing(Node::uid)).toList();
        pods = pods.stream().sorted(Comparator.comparing(Pod::uid)).toList();
        holds = holds.stream().sorted(Comparator.comparing(Hold::id)).toList();
        workloads = workloads.stream().sorted(BY_NAMESPACE).toList();
        assumptions = assumptions.stream()
                .sorted(Comparator.comparing(Assumption::pod))
                .toList();
        confirmed =
                confirmed.stream().sorted(Comparator.comparing(Assumption::pod)).toList();
        namespaces = namespaces.stream()
                .sorted(Comparator.comparing(Namespace::name))
                .toList();
    }

    /** Without what only this process knows: the facts of a ledger that read the same objects and decided nothing. */
    public LedgerFacts shown() {
        return new LedgerFacts(nodes, pods, holds, workloads, assumptions, List.of(), namespaces);
    }
}
