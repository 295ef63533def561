package dev.berth.core.door.godel;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.collection.SetMultimap;
import dev.berth.core.door.godel.GodelWrite.Successor;
import dev.berth.core.door.godel.ReturnHoldId.PodKey;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.LedgerView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Knows which pod claimed which return hold. A bind that this process assumed and saw confirmed is certain. The record
 * on any other pod takes effect only if the pod has the hold's return key, because tenants can write records. A
 * successor is remembered after it is deleted, as long as the Reservation exists: a hold is claimed only once.
 */
final class Successors {
    private final Map<PodKey, SuccessorCandidates> candidatesByHold = new HashMap<>();
    /** Of each pod that exists, the holds that its records named. */
    private final SetMultimap<PodUid, HoldId> holdsByPod = SetMultimap.inOrderOfAddition();

    /** Without the name of the Reservation: after a restart Berth may choose another name for it. */
    private static PodKey holdKey(HoldId hold) {
        return ReturnHoldId.parse(hold)
                .map(ReturnHoldId::originalPodKey)
                .orElseGet(() -> new PodKey("", new PodUid(hold.value())));
    }

    /**
     * Returns the return hold that the pod may have claimed: the hold that it uses, or a hold that draws on the hold
     * that it uses. The record on an unbound pod has no effect.
     */
    Optional<HoldId> onPodUpsert(Pod pod, LedgerView ledger) {
        if (pod.nodeName().isEmpty()) {
            return Optional.empty();
        }
        Optional<HoldId> assumed = ledger.confirmedAssumption(pod.uid()).flatMap(Successors::findAssumedHold);
        Optional<HoldId> hold = assumed.or(() -> findRecordedHold(pod).map(ReturnHoldId::holdId));
        hold.ifPresent(id -> {
            SuccessorCandidates all = addCandidate(id, toSuccessor(pod));
            if (assumed.isPresent()) {
                all.markAssumed(pod.uid());
            }
            ReturnKey.of(pod).ifPresent(key -> all.addKey(pod.uid(), key));
            holdsByPod.add(pod.uid(), id);
        });
        return hold;
    }

    /**
     * The return hold that the record of a bound pod names. A user can write the record. No pod claims a hold of
     * another namespace, or its own return hold.
     */
    static Optional<ReturnHoldId> findRecordedHold(Pod pod) {
        return pod.nodeName()
                .flatMap(node -> Claim.holdsRecordedIn(pod.annotations())
                        .flatMap(id -> ReturnHoldId.parse(id).stream())
                        .filter(hold -> hold.namespace().equals(pod.namespace())
                                && !hold.originalPod().equals(pod.uid()))
                        .findFirst());
    }

    private static Optional<HoldId> findAssumedHold(Assumption assumption) {
        return Stream.concat(assumption.hold().stream(), Claim.holdsRecordedIn(assumption.bindAnnotations()))
                .filter(ReturnHoldId::isReturnHold)
                .findFirst();
    }

    /** Whether a bind of a pod into the hold is in flight, even if the hold ended meanwhile. */
    static boolean isBindPending(HoldId hold, String node, LedgerView ledger) {
        return ledger.node(node).stream()
                .flatMap(state -> state.pods().stream())
                .filter(pod -> pod.nodeName().isEmpty())
                .flatMap(pod -> ledger.assumption(pod.uid()).stream())
                .anyMatch(assumption -> findAssumedHold(assumption).equals(Optional.of(hold)));
    }

    private static Successor toSuccessor(Pod pod) {
        return new Successor(
                pod.namespace(), pod.name(), pod.uid(), pod.nodeName().orElse(""));
    }

    /** A Reservation shows that its original pod had claimed the hold and had this key. */
    void add(HoldId hold, Successor successor, ReturnKey key) {
        addCandidate(hold, successor).addKey(successor.uid(), key);
    }

    private SuccessorCandidates addCandidate(HoldId hold, Successor successor) {
        SuccessorCandidates all = candidatesByHold.computeIfAbsent(holdKey(hold), same -> new SuccessorCandidates());
        all.add(successor);
        return all;
    }

    /** Returns the holds that the pod may have claimed. */
    Set<HoldId> onPodDelete(PodUid pod) {
        return holdsByPod.removeAll(pod);
    }

    /** The holds that earlier records of the pod named. A user can edit the record any number of times. */
    List<HoldId> findFormerHolds(PodUid pod, Optional<HoldId> now) {
        Set<HoldId> all = holdsByPod.get(pod);
        return all.isEmpty() || (all.size() == 1 && now.filter(all::contains).isPresent())
                ? List.of()
                : all.stream().filter(hold -> !now.equals(Optional.of(hold))).toList();
    }

    /** The hold belongs to no Reservation and no deleted pod: a claim of it has no effect. */
    void remove(PodUid pod, HoldId hold) {
        holdsByPod.remove(pod, hold);
        candidatesByHold.computeIfPresent(holdKey(hold), (same, pods) -> {
            pods.remove(pod);
            return pods.isEmpty() ? null : pods;
        });
    }

    /** The number of remembered holds and pods. */
    int size() {
        return candidatesByHold.size() + holdsByPod.keyCount();
    }

    /**
     * The successor of the hold. A pod on another node did not claim it. Of several pods the assumed one is chosen,
     * else the first by UID, independent of the order of events.
     */
    Optional<Successor> find(HoldId hold, String node, ReturnKey key) {
        return Optional.ofNullable(candidatesByHold.get(holdKey(hold))).flatMap(all -> all.findBest(node, key));
    }

    void remove(HoldId hold) {
        candidatesByHold.remove(holdKey(hold));
    }
}
