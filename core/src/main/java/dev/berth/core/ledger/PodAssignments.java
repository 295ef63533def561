package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The pods, and the node that each of them is bound to or assumed on: assume, then confirm by the bound pod, or forget. A
 * fact about a pod always wins over what was assumed about it.
 */
final class PodAssignments {
    private final CurrentState current;
    private final NodeAccounts accounts;

    PodAssignments(CurrentState current, NodeAccounts accounts) {
        this.current = current;
        this.accounts = accounts;
    }

    Optional<NodeAssignment> find(PodUid uid) {
        LedgerState state = current.get();
        return state.pod(uid).flatMap(pod -> NodeAssignment.of(pod, state.assumption(uid), state.confirmed(uid)));
    }

    /** See {@link Ledger#put(Pod)}. */
    PodUpdateResult put(Pod pod) {
        PodUid uid = pod.uid();
        LedgerState state = current.get();
        @Nullable Pod existing = state.pods().get(uid);
        if (existing != null && pod.isStaleComparedTo(existing)) {
            return PodUpdateResult.STALE;
        }
        if (existing != null && pod.equals(existing)) {
            return PodUpdateResult.UNCHANGED;
        }
        Optional<Assumption> assumption = state.assumption(uid);
        Optional<NodeAssignment> before = find(uid);
        state = state.withPods(state.pods().with(uid, pod));
        if (assumption.isPresent() && isConfirmedBy(assumption.get(), pod)) {
            state = state.withConfirmed(state.confirmed().with(uid, assumption.get()));
        }
        if (pod.nodeName().isPresent() || pod.phase().isTerminal()) {
            state = state.withAssumptions(state.assumptions().without(uid));
        }
        current.set(state);
        accounts.reassign(before, find(uid));
        return existing == null ? PodUpdateResult.NEW : classify(pod, assumption);
    }

    private static boolean isConfirmedBy(Assumption assumption, Pod pod) {
        return pod.nodeName().equals(Optional.of(assumption.nodeName()));
    }

    private static PodUpdateResult classify(Pod pod, Optional<Assumption> assumption) {
        if (assumption.isEmpty() || pod.nodeName().isEmpty()) {
            return PodUpdateResult.UPDATED;
        }
        return pod.nodeName().equals(assumption.map(Assumption::nodeName))
                ? PodUpdateResult.CONFIRMED
                : PodUpdateResult.BOUND_ELSEWHERE;
    }

    /** See {@link Ledger#removePod}. */
    Optional<Pod> remove(PodUid uid) {
        LedgerState state = current.get();
        Optional<Pod> existing = state.pod(uid);
        if (existing.isPresent()) {
            Optional<NodeAssignment> before = find(uid);
            current.set(state.withPods(state.pods().without(uid))
                    .withAssumptions(state.assumptions().without(uid))
                    .withConfirmed(state.confirmed().without(uid)));
            accounts.reassign(before, Optional.empty());
        }
        return existing;
    }

    /** Throws where the pod cannot use the hold on the node of the account. */
    void requireClaimable(PodUid pod, NodeAccount account, HoldId id) {
        HoldState state = current.get()
                .hold(id)
                .orElseThrow(() -> new IllegalStateException("pod (%s): hold (%s) not found".formatted(pod, id)));
        if (!state.nodeName().equals(Optional.of(account.name()))) {
            throw new IllegalStateException("pod (%s): hold (%s) is on node (%s), not on node (%s)"
                    .formatted(pod, id, state.nodeName().orElse("unknown"), account.name()));
        }
        boolean hasClaim = state.claims().stream().anyMatch(claim -> claim.pod().equals(pod));
        if (!state.claimable() && !hasClaim) {
            String user = state.claims().isEmpty()
                    ? "another hold draws on it"
                    : "pod (%s) uses it".formatted(state.claims().get(0).pod());
            throw new IllegalStateException(
                    "pod (%s): allocateOnce hold (%s) is already in use: %s".formatted(pod, id, user));
        }
    }

    /** See {@link Ledger#assume(Assumption)}. */
    void assume(Assumption assumption) {
        PodUid uid = assumption.pod();
        LedgerState state = current.get();
        Optional<Assumption> existing = state.assumption(uid);
        if (existing.isPresent()) {
            if (existing.get().equals(assumption)) {
                return;
            }
            throw new IllegalStateException("pod (%s) is already assumed on node (%s). Maybe forget that first."
                    .formatted(uid, existing.get().nodeName()));
        }
        Pod pod = state.pod(uid).orElseThrow(() -> new IllegalStateException("pod (%s) not found".formatted(uid)));
        if (pod.nodeName().isPresent() || pod.phase().isTerminal()) {
            throw new IllegalStateException("pod (%s) cannot be placed: it is on node (%s) in phase (%s)"
                    .formatted(pod, pod.nodeName().orElse(""), pod.phase()));
        }
        current.set(state.withAssumptions(state.assumptions().with(uid, assumption)));
        accounts.reassign(Optional.empty(), NodeAssignment.of(pod, Optional.of(assumption), Optional.empty()));
    }

    /** See {@link Ledger#confirm}. */
    void confirm(Assumption confirmed) {
        PodUid uid = confirmed.pod();
        Optional<NodeAssignment> before = find(uid);
        LedgerState state = current.get();
        current.set(state.withConfirmed(state.confirmed().with(uid, confirmed)));
        accounts.reassign(before, find(uid));
    }

    /** See {@link Ledger#forget}. */
    Optional<Assumption> forget(PodUid uid) {
        LedgerState state = current.get();
        Optional<Assumption> assumption = state.assumption(uid);
        if (assumption.isPresent()) {
            Optional<NodeAssignment> before = find(uid);
            current.set(state.withAssumptions(state.assumptions().without(uid)));
            accounts.reassign(before, Optional.empty());
        }
        return assumption;
    }
}
