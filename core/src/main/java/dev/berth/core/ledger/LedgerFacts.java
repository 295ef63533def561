package dev.berth.core.ledger;

import dev.berth.core.cluster.Namespace;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.Hold;
import java.util.Comparator;
import java.util.List;

/**
 * All facts of a ledger, sorted by identity. Everything else in the ledger follows from them: two ledgers with equal facts
 * are equal.
 *
 * @param confirmed the assumptions whose binding was observed. They stand whatever the pods'
 *     annotations and the holds' owners are changed to later
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

    /** The facts without those that only this process knows, as another process would read them from the API server. */
    public LedgerFacts withoutConfirmed() {
        return new LedgerFacts(nodes, pods, holds, workloads, assumptions, List.of(), namespaces);
    }
}
