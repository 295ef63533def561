package dev.berth.core.ledger;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Namespace;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.HoldsByNodeAndDeadline;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.persistent.TrieMap;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The one account of what pods use and what is held on every node. Everything in it follows from the facts that it was
 * given and that still hold, never from the order in which they came: a ledger that is rebuilt from a list is equal to the
 * ledger that followed the watch. Owned by one thread; other threads read a {@link #snapshot}.
 */
public final class Ledger extends AbstractLedgerView {
    /** Beyond this many changes, reading everything costs about as much as following them one by one. */
    private static final int DEFAULT_LOGGED_CHANGES = 16_384;

    private final HoldsByNodeAndDeadline holdsByNodeAndDeadline = new HoldsByNodeAndDeadline();
    private final ClaimableHoldIndex claimableHoldIndex = new ClaimableHoldIndex();
    private final CurrentState current = new CurrentState();
    private final ChangeLog log;
    private final NodeAccounts accounts;
    private final PodAssignments assignments;
    /** The holds whose claims changed since the last {@link #drainClaimChanges}. */
    private Set<HoldId> claimChanges = new TreeSet<>();

    public Ledger() {
        this(DEFAULT_LOGGED_CHANGES);
    }

    /** @param loggedChanges how many changes {@link #changesSince} can look back on */
    public Ledger(int loggedChanges) {
        this.log = new ChangeLog(loggedChanges);
        this.accounts = new NodeAccounts(log, this::updateHoldStates);
        this.assignments = new PodAssignments(current, accounts);
    }

    /** A ledger with these facts. */
    public static Ledger of(LedgerFacts facts) {
        Ledger ledger = new Ledger();
        facts.nodes().forEach(ledger::put);
        facts.holds().forEach(ledger::put);
        facts.workloads().forEach(ledger::put);
        facts.namespaces().forEach(ledger::put);
        facts.pods().forEach(ledger::put);
        facts.assumptions().forEach(ledger::assume);
        facts.confirmed().forEach(ledger::confirm);
        return ledger;
    }

    /**
     * A node was added or updated. Pods and holds that were known before their node count from now on.
     *
     * @return the holds that ended with an older node of the same name, in the order of their ids
     */
    public List<Hold> put(Node node) {
        @Nullable NodeAccount existing = accounts.get(node.uid());
        if (existing != null && existing.name().equals(node.name())) {
            accounts.update(existing, node);
            return List.of();
        }
        List<Hold> ended = new ArrayList<>(removeNode(node.uid()));
        Optional.ofNullable(accounts.get(node.name()))
                .flatMap(NodeAccount::node)
                .ifPresent(older -> ended.addAll(removeNode(older.uid())));
        accounts.add(node, holdsByNodeAndDeadline.holdsOn(node.uid()));
        return List.copyOf(ended);
    }

    /**
     * A node was deleted. Its holds end. Its pods stay until they are deleted, too.
     *
     * @return the holds that ended, in the order of their ids; none if the node is not known
     */
    public List<Hold> removeNode(NodeUid uid) {
        @Nullable NodeAccount account = accounts.get(uid);
        if (account == null) {
            return List.of();
        }
        List<Hold> ended = account.holds();
        ended.forEach(this::unindex);
        accounts.remove(uid);
        return ended;
    }

    /**
     * A pod was added or updated. A bound pod ends what was assumed of it, on this node or on another. A finished pod uses
     * nothing any more.
     */
    public PodUpdateResult put(Pod pod) {
        return assignments.put(pod);
    }

    /** A pod was deleted; what was assumed of it ends. Idempotent. */
    public Optional<Pod> removePod(PodUid uid) {
        return assignments.remove(uid);
    }

    /** A Service or workload was added or updated. Returns whether that changed anything. */
    public boolean put(Workload workload) {
        LedgerState state = current.get();
        if (state.workloads().get(workload.key()).equals(Optional.of(workload))) {
            return false;
        }
        current.set(state.withWorkloads(state.workloads().with(workload)));
        accounts.incrementGeneration();
        log.appendWorkloadsChanged(workload.namespace());
        return true;
    }

    /** A Service or workload was deleted. Returns whether it was known. */
    public boolean remove(Workload.WorkloadKey key) {
        LedgerState state = current.get();
        if (state.workloads().get(key).isEmpty()) {
            return false;
        }
        current.set(state.withWorkloads(state.workloads().without(key)));
        accounts.incrementGeneration();
        log.appendWorkloadsChanged(key.namespace());
        return true;
    }

    /** A namespace was added or updated. Returns whether that changed anything. */
    public boolean put(Namespace namespace) {
        LedgerState state = current.get();
        if (state.namespace(namespace.name()).equals(Optional.of(namespace))) {
            return false;
        }
        current.set(state.withNamespaces(state.namespaces().with(namespace.name(), namespace)));
        accounts.incrementGeneration();
        log.appendNamespacesChanged();
        return true;
    }

    /** A namespace was deleted. Returns whether it was known. */
    public boolean removeNamespace(String name) {
        LedgerState state = current.get();
        if (state.namespace(name).isEmpty()) {
            return false;
        }
        current.set(state.withNamespaces(state.namespaces().without(name)));
        accounts.incrementGeneration();
        log.appendNamespacesChanged();
        return true;
    }

    /**
     * A hold was created or changed. It holds nothing until its node is known, see {@link #holdsWithoutNode}.
     *
     * @return whether that changed anything
     */
    public boolean put(Hold hold) {
        Optional<Hold> existing = hold(hold.id());
        if (existing.equals(Optional.of(hold))) {
            return false;
        }
        existing.ifPresent(this::unindex);
        holdsByNodeAndDeadline.add(hold);
        Resources nothing = Resources.NONE.inDimensionsOf(hold.size());
        HoldState notComputed =
                new HoldState(hold, Optional.empty(), nothing, nothing, List.of(), HoldState.Draws.NONE);
        LedgerState state = current.get();
        current.set(state.withOwners(state.owners().with(hold))
                .withHolds(state.holds().with(hold.id(), notComputed)));
        existing.map(Hold::node)
                .filter(node -> !node.equals(hold.node()))
                .ifPresent(node -> accounts.updateHolds(node, account -> account.remove(hold.id())));
        accounts.updateHolds(hold.node(), account -> account.put(hold));
        accounts.incrementGeneration();
        return true;
    }

    /** A hold ended. Idempotent. */
    public Optional<Hold> removeHold(HoldId id) {
        Optional<Hold> existing = hold(id);
        existing.ifPresent(hold -> {
            unindex(hold);
            accounts.updateHolds(hold.node(), account -> account.remove(id));
            accounts.incrementGeneration();
        });
        return existing;
    }

    /**
     * The pod counts on the node, and as a user of the hold if one is given, until its binding is observed or the assumption
     * is forgotten.
     *
     * @throws IllegalStateException when the pod cannot be placed there: the caller decided wrongly
     */
    public void assume(PodUid uid, NodeUid node, Optional<HoldId> hold) {
        assume(uid, node, hold, Labels.NONE);
    }

    /** The same with the annotations that the binding will write on the pod. */
    public void assume(PodUid uid, NodeUid node, Optional<HoldId> hold, Labels bindAnnotations) {
        @Nullable NodeAccount account = accounts.get(node);
        if (account == null) {
            throw new IllegalStateException("pod (%s): node (%s) not found".formatted(uid, node));
        }
        hold.ifPresent(id -> assignments.requireClaimable(uid, account, id));
        assume(new Assumption(uid, account.name(), hold, bindAnnotations));
    }

    /** Takes over an assumption of another ledger, even if its node or its hold is not known here. */
    public void assume(Assumption assumption) {
        assignments.assume(assumption);
    }

    /** Takes over a confirmed assumption of another ledger. */
    public void confirm(Assumption confirmed) {
        assignments.confirm(confirmed);
    }

    /** The bind failed: the pod is on no node. Idempotent. */
    public Optional<Assumption> forget(PodUid uid) {
        return assignments.forget(uid);
    }

    /** The holds whose deadline has passed, by deadline and id. They stay until the caller removes them. */
    public List<Hold> expiredAt(Instant now) {
        return expiredAt(now, Integer.MAX_VALUE);
    }

    /** The first of them. */
    public List<Hold> expiredAt(Instant now, int limit) {
        return holdsByNodeAndDeadline.expiredAt(now, limit);
    }

    /**
     * The holds that can no longer draw on their source, and whose resources the node does not have in addition to the source, by
     * node and id. They stay until the caller removes them.
     */
    public List<Hold> brokenDraws() {
        return accounts.brokenDraws();
    }

    public Optional<Instant> nextDeadline() {
        return holdsByNodeAndDeadline.nextDeadline();
    }

    /** The holds that hold nothing because no node with their node UID is known, in the order of their ids. */
    public List<Hold> holdsWithoutNode() {
        return holdsByNodeAndDeadline.holdsOnNodes(uid -> accounts.get(uid) == null);
    }

    /** See {@link ClaimResolver}. Costs O(1). */
    @Override
    public Optional<Claim> claimBy(PodUid uid) {
        return assignments.find(uid).flatMap(accounts::claimBy);
    }

    @Override
    public List<HoldId> holdsBackedBy(PodUid pod, String node) {
        @Nullable NodeAccount account = accounts.get(node);
        return account == null ? List.of() : account.holdsBackedBy(pod);
    }

    public List<Claim> claimsOn(HoldId id) {
        return holdState(id).map(HoldState::claims).orElse(List.of());
    }

    /**
     * The holds whose claims changed since the last call, in the order of their ids. One update of a pod or hold can change
     * the claims on several holds of a node.
     */
    public Set<HoldId> drainClaimChanges() {
        if (claimChanges.isEmpty()) {
            return Set.of();
        }
        Set<HoldId> drained = claimChanges;
        claimChanges = new TreeSet<>();
        return drained;
    }

    /** The current state for readers on any thread. The cost is O(changes since the last snapshot). */
    public Snapshot snapshot() {
        return accounts.snapshot(ledgerState());
    }

    /** The ledger without some of the pods and holds on the node; empty when the node is not known. */
    public Optional<LedgerView> simulateWithout(String node, Removals removals) {
        @Nullable NodeAccount account = accounts.get(node);
        return account == null || account.node().isEmpty()
                ? Optional.empty()
                : Optional.of(new SimulatedLedger(this, ledgerState(), account.without(removals), removals));
    }

    /** The facts that everything else here follows from. The cost is O(everything). */
    public LedgerFacts facts() {
        return snapshot().facts();
    }

    @Override
    LedgerState ledgerState() {
        return current.get();
    }

    @Override
    public Collection<OwnerRule> rulesWithClaimableHolds(Pod pod) {
        Collection<OwnerRule> admitting = ledgerState().owners().rulesAdmitting(pod);
        // All or none: a pod that uses a drawing hold must be admitted to its source, claimable or not.
        return mayHaveClaimableHolds(admitting) ? admitting : List.of();
    }

    @Override
    public boolean mayHaveClaimableHolds(Collection<OwnerRule> rules) {
        for (OwnerRule rule : rules) {
            if (claimableHoldIndex.has(rule)) {
                return true;
            }
        }
        return false;
    }

    /** Holds whose owners match the pod but whose rules keep the pod out: see {@link OwnerRule#admits}. */
    public List<Hold> holdsNotAdmitting(Pod pod, int limit) {
        return ledgerState().owners().holdsNotAdmitting(pod, limit);
    }

    /** See {@link dev.berth.core.hold.OwnerIndex#holdsMatchingOwner}. */
    public List<Hold> holdsMatchingOwner(Pod pod, int limit) {
        return ledgerState().owners().holdsMatchingOwner(pod, limit);
    }

    @Override
    public int countNodesWithClaimableHolds(Collection<OwnerRule> rules) {
        int count = 0;
        for (OwnerRule rule : rules) {
            count += claimableHoldIndex.nodesWith(rule).size();
        }
        return count;
    }

    @Override
    public Collection<String> nodesWithClaimableHolds(Collection<OwnerRule> rules) {
        Set<String> names = new TreeSet<>();
        for (OwnerRule rule : rules) {
            for (NodeUid uid : claimableHoldIndex.nodesWith(rule)) {
                node(uid).ifPresent(state -> names.add(state.node().name()));
            }
        }
        return names;
    }

    /** The cost does not depend on the number of nodes. */
    @Override
    public List<String> firstNodesWithClaimableHolds(Collection<OwnerRule> rules, int limit) {
        return claimableHoldIndex.firstNodeNames(rules, limit);
    }

    @Override
    public Collection<String> nodesWithReservation(String name) {
        return claimableHoldIndex.nodeNamesOfReservation(name);
    }

    @Override
    public List<Hold> claimableHolds(NodeState node, Collection<OwnerRule> rules, Predicate<Hold> filter) {
        List<Hold> claimable = rules.isEmpty()
                ? List.of()
                : claimableHoldIndex.holdsOn(node.node().uid(), rules, filter);
        LedgerState state = ledgerState();
        for (Hold hold : claimable) {
            if (!state.isAdmittedToSource(hold, rules)) {
                return claimable.stream()
                        .filter(each -> state.isAdmittedToSource(each, rules))
                        .toList();
            }
        }
        return claimable;
    }

    @Override
    public int slotBound() {
        return accounts.slots().bound();
    }

    @Override
    public Optional<NodeState> nodeAt(int slot) {
        return accounts.slots().get(slot);
    }

    @Override
    public Optional<NodeState> node(String name) {
        @Nullable NodeAccount account = accounts.get(name);
        return account == null ? Optional.empty() : account.state();
    }

    public Optional<NodeState> node(NodeUid uid) {
        @Nullable NodeAccount account = accounts.get(uid);
        return account == null ? Optional.empty() : account.state();
    }

    /** What will be free on the node when the victims that nominations wait for have left. */
    Resources freeWithoutVictims(NodeUid uid) {
        @Nullable NodeAccount account = accounts.get(uid);
        return account == null ? Resources.NONE : account.freeWithoutVictims();
    }

    @Override
    public int nodeCount() {
        return accounts.slots().count();
    }

    @Override
    public OptionalInt lowestPriority() {
        return accounts.lowestPriority();
    }

    @Override
    public long version() {
        return log.version();
    }

    @Override
    public boolean changesSince(long since, ChangeListener changeListener) {
        return log.replaySince(since, changeListener);
    }

    /** Removes the hold from everything but the account of its node. */
    private void unindex(Hold hold) {
        holdsByNodeAndDeadline.remove(hold);
        claimableHoldIndex.remove(hold.id());
        LedgerState state = current.get();
        current.set(state.withOwners(state.owners().without(hold.id()))
                .withHolds(state.holds().without(hold.id())));
    }

    private void updateHoldStates(List<HoldState> changed) {
        LedgerState state = current.get();
        TrieMap<HoldId, HoldState> holds = state.holds();
        for (HoldState holdState : changed) {
            HoldId id = holdState.hold().id();
            @Nullable HoldState before = holds.get(id);
            if (before == null || !before.claims().equals(holdState.claims())) {
                claimChanges.add(id);
            }
            holds = holds.with(id, holdState);
            claimableHoldIndex.put(holdState);
        }
        current.set(state.withHolds(holds));
    }
}
