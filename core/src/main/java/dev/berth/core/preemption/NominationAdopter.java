package dev.berth.core.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.framework.Handle;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Removals;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.preemption.Nomination.Stage;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Adopts nominations that another scheduler or an earlier process wrote: the node's resources are held for the pod if they
 * are free.
 */
final class NominationAdopter {
    private final Nominations nominations;
    private final NominatedNodeWriter nominatedNodes;
    private final NodeSearch nodeSearch;
    private final PendingNominations pending = new PendingNominations();

    /** Finds the victims on one node, if the pod may preempt pods now. */
    interface NodeSearch {
        Optional<PreemptionCandidate> findCandidateOn(NodeState node, Pod pod, Handle handle);
    }

    NominationAdopter(Nominations nominations, NominatedNodeWriter nominatedNodes, NodeSearch nodeSearch) {
        this.nominations = nominations;
        this.nominatedNodes = nominatedNodes;
        this.nodeSearch = nodeSearch;
    }

    boolean isEmpty() {
        return pending.isEmpty();
    }

    void onPodUpsert(Pod pod, Handle handle) {
        boolean shown = pod.nominatedNodeName().isPresent()
                && pod.awaitsBinding()
                && !isAssumedOnNominatedNode(pod, handle)
                && !nominatedNodes.isClearing(pod.uid());
        if (shown && nominations.find(pod.uid()).isEmpty()) {
            pending.add(pod.uid());
        } else if (!shown && !pending.isEmpty()) {
            pending.remove(pod.uid());
        }
    }

    /** The pod is assumed on its nominated node until its volumes are bound: the assumption counts its requests. */
    private static boolean isAssumedOnNominatedNode(Pod pod, Handle handle) {
        return handle.ledger().assumption(pod.uid()).map(Assumption::nodeName).equals(pod.nominatedNodeName());
    }

    void onRequestUpsert(Pod request) {
        if (request.nominatedNodeName().isPresent()) {
            pending.add(request.uid());
        } else {
            pending.remove(request.uid());
        }
    }

    void add(PodUid pod) {
        pending.add(pod);
    }

    void remove(PodUid pod) {
        pending.remove(pod);
    }

    /** See {@link PendingNominations#requeue}. */
    void requeue(Optional<Set<String>> nodes, boolean anyChange) {
        pending.requeue(nodes, anyChange);
    }

    /** @param adopted gets each nomination whose resources have to be held now */
    void process(Handle handle, Consumer<Nomination> adopted) {
        pending.process(
                handle,
                uid -> Preemptor.find(uid, handle)
                        .flatMap(pod -> adopt(pod, handle))
                        .ifPresent(adopted));
    }

    private Optional<Nomination> adopt(Pod pod, Handle handle) {
        String name = pod.nominatedNodeName().orElse("");
        Optional<NodeState> node = handle.ledger().node(name);
        boolean assumed = handle.ledger().assumption(pod.uid()).isPresent();
        if (assumed
                || !Preemptor.awaitsPlacement(pod, handle)
                || !pod.schedulingGates().isEmpty()) {
            pending.postpone(pod.uid());
            return Optional.empty();
        }
        if (node.isEmpty()) {
            pending.onNodeMissing(pod.uid(), name);
            return Optional.empty();
        }
        Set<PodUid> leaving = terminatingVictims(pod, node.get());
        List<Veto> vetoes = handle.vetoesWithout(pod, name, new Removals(leaving, Set.of()));
        if (!vetoes.isEmpty()) {
            Optional<Nomination> resumed = resume(pod, node.get(), handle);
            if (resumed.isPresent()) {
                pending.remove(pod.uid());
                return resumed;
            }
            pending.onRefused(pod.uid(), name, vetoes);
            return Optional.empty();
        }
        pending.remove(pod.uid());
        return Optional.of(new Nomination(pod, Preemptor.of(pod, handle), name, leaving, Stage.SHOWN));
    }

    /**
     * An earlier process may have stopped before it evicted all victims. The object of a placement request names a node
     * only for preemption, so the rest is evicted now. The nominated node of a pod may have other reasons, such as
     * volumes.
     */
    private Optional<Nomination> resume(Pod pod, NodeState node, Handle handle) {
        if (handle.findPreemptingRequest(pod.uid()).isEmpty()) {
            return Optional.empty();
        }
        return nodeSearch
                .findCandidateOn(node, pod, handle)
                .map(candidate -> Nomination.of(candidate, pod, Preemptor.of(pod, handle), Stage.SHOWN));
    }

    static Set<PodUid> terminatingVictims(Pod pod, NodeState node) {
        return node.pods().stream()
                .filter(there -> there.terminating() && there.preempted() && there.priority() < pod.priority())
                .map(Pod::uid)
                .collect(Collectors.toSet());
    }
}
