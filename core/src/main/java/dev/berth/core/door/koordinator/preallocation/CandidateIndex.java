package dev.berth.core.door.koordinator.preallocation;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.collection.SetMultimap;
import dev.berth.core.hold.OwnerIndex;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The running pods that the pending requests select. Requests with equal rules share their candidates. The pods of the
 * ledger are read once for each rule, and then each change of a pod costs as much as the rules that select it. Without
 * requests the index is empty and costs nothing.
 */
final class CandidateIndex {
    private final String clusterLabelKey;
    private final Map<PodUid, PreAllocationRequest> requests = new HashMap<>();
    /** The rules of the requests in the mode Default. */
    private OwnerIndex owners = OwnerIndex.EMPTY;

    private final Map<OwnerRule, Candidates> byRule = new HashMap<>();
    /** For the requests in the mode Cluster. */
    private Optional<Candidates> labelled = Optional.empty();

    private final SetMultimap<PodUid, Candidates> byPod = SetMultimap.unordered();

    CandidateIndex(String clusterLabelKey) {
        this.clusterLabelKey = clusterLabelKey;
    }

    boolean isEmpty() {
        return requests.isEmpty();
    }

    Optional<PreAllocationRequest> find(PodUid request) {
        return Optional.ofNullable(requests.get(request));
    }

    void put(PreAllocationRequest request) {
        remove(request.id());
        requests.put(request.id(), request);
        if (request.preAllocation().mode() == PreAllocation.Mode.CLUSTER) {
            labelled = labelled.or(() -> Optional.of(new Candidates()));
        } else {
            owners = owners.with(request.rules());
            byRule.computeIfAbsent(request.rules().ownerRule(), rule -> new Candidates());
        }
        candidates(request).addRequest(request.id());
    }

    private Candidates candidates(PreAllocationRequest request) {
        Optional<Candidates> candidates = request.preAllocation().mode() == PreAllocation.Mode.CLUSTER
                ? labelled
                : Optional.ofNullable(byRule.get(request.rules().ownerRule()));
        return candidates.orElseThrow(() -> new IllegalStateException("request (%s) is not known".formatted(request)));
    }

    void remove(PodUid id) {
        @Nullable PreAllocationRequest request = requests.remove(id);
        if (request == null) {
            return;
        }
        if (request.preAllocation().mode() == PreAllocation.Mode.CLUSTER) {
            labelled = labelled.filter(candidates -> isUsedWithout(candidates, id));
        } else {
            owners = owners.without(request.rules().id());
            byRule.computeIfPresent(
                    request.rules().ownerRule(),
                    (rule, candidates) -> isUsedWithout(candidates, id) ? candidates : null);
        }
    }

    private boolean isUsedWithout(Candidates candidates, PodUid request) {
        if (candidates.removeRequest(request)) {
            return true;
        }
        for (String node : candidates.nodeNames()) {
            candidates.onNode(node).forEach(pod -> byPod.remove(pod, candidates));
        }
        return false;
    }

    /** The candidates of the request; empty if time was up before all pods were read. */
    Optional<Candidates> read(PreAllocationRequest request, LedgerView ledger, BooleanSupplier timeIsUp) {
        Candidates candidates = candidates(request);
        return candidates.readNodes(ledger, this::onNodeUpsert, timeIsUp) ? Optional.of(candidates) : Optional.empty();
    }

    /** Adds the pods of a node. A pod may be observed before its node. */
    void onNodeUpsert(NodeState node) {
        for (Pod pod : node.pods()) {
            selecting(pod).forEach(candidates -> add(pod, candidates));
        }
    }

    /** Returns the requests for which the pod is, or was, a candidate. */
    Set<PodUid> onPodUpsert(Pod pod) {
        Set<Candidates> before = Set.copyOf(byPod.get(pod.uid()));
        Set<Candidates> now = pod.isBoundAndActive() ? selecting(pod) : Set.of();
        before.stream().filter(candidates -> !now.contains(candidates)).forEach(candidates -> remove(pod, candidates));
        now.forEach(candidates -> add(pod, candidates));
        Set<PodUid> affected = new HashSet<>();
        before.forEach(candidates -> affected.addAll(candidates.requests()));
        now.forEach(candidates -> affected.addAll(candidates.requests()));
        return affected;
    }

    /** Returns the requests for which the pod was a candidate. */
    Set<PodUid> onPodDelete(Pod pod) {
        Set<PodUid> affected = new HashSet<>();
        for (Candidates candidates : Set.copyOf(byPod.get(pod.uid()))) {
            remove(pod, candidates);
            affected.addAll(candidates.requests());
        }
        return affected;
    }

    /** Assumed pods are not bound yet, and may never be. */
    private Set<Candidates> selecting(Pod pod) {
        Set<Candidates> selecting = new HashSet<>();
        if (pod.isBoundAndActive()) {
            labelled.filter(it -> pod.labels().has(clusterLabelKey, "true")).ifPresent(selecting::add);
            for (OwnerRule rule : owners.rulesAdmitting(pod)) {
                @Nullable Candidates candidates = byRule.get(rule);
                if (candidates != null) {
                    selecting.add(candidates);
                }
            }
        }
        return selecting;
    }

    private void add(Pod pod, Candidates candidates) {
        candidates.add(pod);
        byPod.add(pod.uid(), candidates);
    }

    private void remove(Pod pod, Candidates candidates) {
        candidates.remove(pod);
        byPod.remove(pod.uid(), candidates);
    }
}
