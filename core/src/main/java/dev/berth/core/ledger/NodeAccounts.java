package dev.berth.core.ledger;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.persistent.TrieMap;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The accounts of all nodes. Every change of an account recomputes it, and is appended to the change log. */
final class NodeAccounts {
    private final Map<String, NodeAccount> byName = new HashMap<>();
    private final Map<NodeUid, NodeAccount> byUid = new HashMap<>();
    private final NodeSlots slots = new NodeSlots();
    private final PriorityCounts priorityCounts = new PriorityCounts();
    /** By node name. Most ledgers have none. */
    private final TreeMap<String, List<Hold>> brokenDraws = new TreeMap<>();

    private final ChangeLog log;
    private final Consumer<List<HoldState>> onHoldStatesChanged;
    private TrieMap<String, Integer> slotsByName = TrieMap.empty();
    private long generation;

    /** @param onHoldStatesChanged called with the new states of holds when an account was recomputed */
    NodeAccounts(ChangeLog log, Consumer<List<HoldState>> onHoldStatesChanged) {
        this.log = log;
        this.onHoldStatesChanged = onHoldStatesChanged;
    }

    /** Grows with every change of the ledger. */
    long generation() {
        return generation;
    }

    void incrementGeneration() {
        generation++;
    }

    NodeSlots slots() {
        return slots;
    }

    OptionalInt lowestPriority() {
        return priorityCounts.lowest();
    }

    /** See {@link Ledger#brokenDraws}. */
    List<Hold> brokenDraws() {
        return brokenDraws.isEmpty()
                ? List.of()
                : brokenDraws.values().stream().flatMap(List::stream).toList();
    }

    /** See {@link Ledger#snapshot}. */
    Snapshot snapshot(LedgerState ledgerState) {
        return new Snapshot(
                slots.publish(),
                slotsByName,
                ledgerState,
                priorityCounts.lowest(),
                new Snapshot.Revision(log.version(), generation));
    }

    /** The account under this node name. There may be one while no such node is known, for pods that name it. */
    @Nullable
    NodeAccount get(String name) {
        return byName.get(name);
    }

    /** The account of the known node with this UID. */
    @Nullable
    NodeAccount get(NodeUid uid) {
        return byUid.get(uid);
    }

    Optional<Claim> claimBy(NodeAssignment assignment) {
        return account(assignment).claimBy(assignment.pod().uid());
    }

    /** Adds a node; no node with its UID or name is known. */
    void add(Node node, Collection<Hold> holds) {
        NodeAccount account = byName.computeIfAbsent(node.name(), NodeAccount::new);
        int slot = slots.allocate();
        account.attachNode(node, slot, holds);
        byUid.put(node.uid(), account);
        slotsByName = slotsByName.with(node.name(), slot);
        slots.assign(slot, account);
        recompute(account);
        log.appendNodeChanged(slot);
    }

    void update(NodeAccount account, Node node) {
        if (!account.node().equals(Optional.of(node))) {
            account.updateNode(node);
            recompute(account);
            log.appendNodeChanged(account.slot());
        }
    }

    /** Removes a known node with its holds. Its account stays while pods name the node. */
    void remove(NodeUid uid) {
        @Nullable NodeAccount account = byUid.remove(uid);
        if (account == null) {
            return;
        }
        int slot = account.slot();
        account.detachNode();
        slotsByName = slotsByName.without(account.name());
        slots.release(slot);
        recompute(account);
        log.appendNodeChanged(slot);
        removeIfEmpty(account);
    }

    /** Changes the holds of the node, if the node is known. */
    void updateHolds(NodeUid node, Consumer<NodeAccount> change) {
        @Nullable NodeAccount account = byUid.get(node);
        if (account != null) {
            change.accept(account);
            recompute(account);
            log.appendNodeChanged(account.slot());
        }
    }

    /** Moves a pod from one assignment to another; empty means that the pod is on no node. */
    void reassign(Optional<NodeAssignment> before, Optional<NodeAssignment> after) {
        generation++;
        Optional<Claim> claimBefore = before.flatMap(this::claimBy);
        @Nullable
        NodeAccount left =
                before.map(assignment -> byName.get(assignment.nodeName())).orElse(null);
        @Nullable
        NodeAccount joined = after.map(assignment -> byName.computeIfAbsent(assignment.nodeName(), NodeAccount::new))
                .orElse(null);
        if (left != null) {
            left.remove(before.orElseThrow());
        }
        before.filter(NodeAssignment::isActive)
                .ifPresent(assignment -> priorityCounts.remove(assignment.pod().priority()));
        after.filter(NodeAssignment::isActive)
                .ifPresent(assignment -> priorityCounts.add(assignment.pod().priority()));
        if (joined != null) {
            joined.add(after.orElseThrow());
            recompute(joined);
        }
        if (left != null && left != joined) {
            recompute(left);
        }
        logReassignment(before, after, claimBefore);
        if (left != null) {
            removeIfEmpty(left);
        }
    }

    private void logReassignment(
            Optional<NodeAssignment> before, Optional<NodeAssignment> after, Optional<Claim> claimBefore) {
        if (before.isPresent() && after.isPresent() && before.get().isEquivalentTo(after.get())) {
            NodeAccount account = account(after.get());
            boolean sameClaim =
                    claimBefore.equals(account.claimBy(after.get().pod().uid()));
            if (account.hasHolds() && !sameClaim) {
                log.appendNodeChanged(account.slot());
            }
            return;
        }
        before.ifPresent(assignment -> logMove(assignment, false));
        after.ifPresent(assignment -> logMove(assignment, true));
    }

    private void logMove(NodeAssignment assignment, boolean added) {
        NodeAccount account = account(assignment);
        if (account.slot() < 0) {
            return;
        }
        if (!assignment.isActive()) {
            if (account.hasHolds()) {
                log.appendNodeChanged(account.slot());
            }
        } else if (added) {
            log.appendPodAdded(account.slot(), assignment.pod());
        } else {
            log.appendPodRemoved(account.slot(), assignment.pod());
        }
    }

    private NodeAccount account(NodeAssignment assignment) {
        @Nullable NodeAccount account = byName.get(assignment.nodeName());
        if (account == null) {
            throw new IllegalStateException("no account for node (%s)".formatted(assignment.nodeName()));
        }
        return account;
    }

    private void recompute(NodeAccount account) {
        generation++;
        List<HoldState> newStates = account.recompute(generation);
        if (account.slot() >= 0) {
            slots.markChanged(account.slot());
        }
        if (!newStates.isEmpty()) {
            onHoldStatesChanged.accept(newStates);
        }
        List<Hold> broken = account.brokenDraws();
        if (broken.isEmpty()) {
            brokenDraws.remove(account.name());
        } else {
            brokenDraws.put(account.name(), broken);
        }
    }

    private void removeIfEmpty(NodeAccount account) {
        if (account.isEmpty()) {
            byName.remove(account.name());
        }
    }
}
