package dev.berth.core.ledger;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.cluster.neighbour.Namespace;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldFile;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.persistent.TrieMap;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The one account of what pods use and what is held on every node. Everything in it follows from the facts it was told
 * and still believes, never from the order in which they came: a ledger rebuilt from a list is equal to the one that
 * lived through it. Belongs to one thread; readers on others take a {@link #snapshot}.
 */
public final class Ledger extends BooksView {
    /** Beyond this many changes, reading everything anew is about as cheap as hearing of them one by one. */
    private static final int LOGGED_CHANGES = 16_384;

    private final Map<String, Account> accounts = new HashMap<>();
    private final Map<NodeUid, Account> accountsByUid = new HashMap<>();
    private final Slots slots = new Slots();
    private final HoldFile holdFile = new HoldFile();
    private final Offers offers = new Offers();
    private final Priorities priorities = new Priorities();
    /** By node name; mostly empty. */
    private final TreeMap<String, List<Hold>> brokenDraws = new TreeMap<>();

    private final ChangeLog log;
    private TrieMap<String, Integer> slotsByName = TrieMap.empty();
    private Books books = Books.EMPTY;
    /** The holds whose claims are others since {@link #takeClaimChanges} was last asked. */
    private Set<HoldId> claimChanges = new TreeSet<>();

    private long generation;

    public Ledger() {
        this(LOGGED_CHANGES);
    }

    /** @param loggedChanges how many changes {@link #changesSince} can look back on */
    public Ledger(int loggedChanges) {
        this.log = new ChangeLog(loggedChanges);
    }

    /** A ledger that believes these facts. */
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
     * A node appeared or changed. Pods and holds that were heard of before it count from now on.
     *
     * @return the holds that ended with an older node of the same name, in the order of their ids
     */
    public List<Hold> put(Node node) {
        Account known = accountsByUid.get(node.uid());
        if (known != null && known.name().equals(node.name())) {
            change(known, node);
            return List.of();
        }
        List<Hold> ended = new ArrayList<>(removeNode(node.uid()));
        Optional.ofNullable(accounts.get(node.name()))
                .flatMap(Account::node)
                .ifPresent(older -> ended.addAll(removeNode(older.uid())));
        open(node);
        return List.copyOf(ended);
    }

    /**
     * A node is gone. Its pods are kept, for their deletion is news of its own; its holds end.
     *
     * @return the holds that ended, in the order of their ids; none if the node is not known
     */
    public List<Hold> removeNode(NodeUid uid) {
        Account account = accountsByUid.remove(uid);
        if (account == null) {
            return List.of();
        }
        List<Hold> ended = account.holds();
        ended.forEach(this::drop);
        int slot = account.slot();
        account.close();
        slotsByName = slotsByName.without(account.name());
        slots.release(slot);
        settle(account);
        log.nodeChanged(slot);
        closeIfEmpty(account);
        return ended;
    }

    /**
     * News of a pod. A bound pod confirms what was assumed of it, on this node or on another; a pod at its end uses
     * nothing any more.
     */
    public PodNews put(Pod pod) {
        @Nullable Pod known = books.pods().get(pod.uid());
        if (known != null && pod.isOlderThan(known)) {
            return PodNews.STALE;
        }
        if (known != null && pod.equals(known)) {
            return PodNews.SAME;
        }
        Optional<Assumption> assumption = assumption(pod.uid());
        Optional<Booking> before = booking(pod.uid());
        books = books.withPods(books.pods().with(pod.uid(), pod));
        assumption
                .filter(assumed -> isConfirmedBy(assumed, pod))
                .ifPresent(
                        assumed -> books = books.withConfirmed(books.confirmed().with(pod.uid(), assumed)));
        if (pod.nodeName().isPresent() || pod.phase().terminal()) {
            books = books.withAssumptions(books.assumptions().without(pod.uid()));
        }
        rebook(before, booking(pod.uid()));
        return known == null ? PodNews.NEW : meaning(pod, assumption);
    }

    /** A pod is gone, and whatever was assumed of it. The second time changes nothing. */
    public Optional<Pod> removePod(PodUid uid) {
        Optional<Pod> known = pod(uid);
        if (known.isPresent()) {
            Optional<Booking> before = booking(uid);
            books = books.withPods(books.pods().without(uid))
                    .withAssumptions(books.assumptions().without(uid))
                    .withConfirmed(books.confirmed().without(uid));
            rebook(before, Optional.empty());
        }
        return known;
    }

    /** A Service or workload appeared or changed; says whether that was new. */
    public boolean put(Workload workload) {
        if (books.workloads().get(workload.key()).equals(Optional.of(workload))) {
            return false;
        }
        books = books.withWorkloads(books.workloads().with(workload));
        generation++;
        log.workloadsChanged(workload.namespace());
        return true;
    }

    /** A Service or workload is gone; says whether it was there. */
    public boolean remove(Workload.Key key) {
        if (books.workloads().get(key).isEmpty()) {
            return false;
        }
        books = books.withWorkloads(books.workloads().without(key));
        generation++;
        log.workloadsChanged(key.namespace());
        return true;
    }

    /** A namespace appeared or changed; says whether that was new. */
    public boolean put(Namespace namespace) {
        if (books.namespace(namespace.name()).equals(Optional.of(namespace))) {
            return false;
        }
        books = books.withNamespaces(books.namespaces().with(namespace.name(), namespace));
        generation++;
        log.namespacesChanged();
        return true;
    }

    /** A namespace is gone; says whether it was there. */
    public boolean removeNamespace(String name) {
        if (books.namespace(name).isEmpty()) {
            return false;
        }
        books = books.withNamespaces(books.namespaces().without(name));
        generation++;
        log.namespacesChanged();
        return true;
    }

    /**
     * A hold appeared or changed. On a node that is not known it keeps nothing until the node is: see {@link
     * #holdsWithoutNode}.
     *
     * @return whether that was new
     */
    public boolean put(Hold hold) {
        Optional<Hold> known = hold(hold.id());
        if (known.equals(Optional.of(hold))) {
            return false;
        }
        known.ifPresent(this::drop);
        holdFile.add(hold);
        Resources nothing = Resources.NONE.onlyOf(hold.size());
        HoldState unsettled = new HoldState(hold, Optional.empty(), nothing, nothing, List.of(), HoldState.Draws.NONE);
        books = books.withOwners(books.owners().with(hold))
                .withHolds(books.holds().with(hold.id(), unsettled));
        known.map(Hold::node)
                .filter(node -> !node.equals(hold.node()))
                .ifPresent(node -> refile(node, account -> account.remove(hold.id())));
        refile(hold.node(), account -> account.put(hold));
        generation++;
        return true;
    }

    /** The second time changes nothing. */
    public Optional<Hold> removeHold(HoldId id) {
        Optional<Hold> known = hold(id);
        known.ifPresent(hold -> {
            drop(hold);
            refile(hold.node(), account -> account.remove(id));
            generation++;
        });
        return known;
    }

    /**
     * The pod is thought to be on the node, using the hold if one is given, until its binding shows or it is forgotten.
     *
     * @throws IllegalStateException when the pod cannot be placed there, which whoever decided should have seen
     */
    public void assume(PodUid uid, NodeUid node, Optional<HoldId> hold) {
        assume(uid, node, hold, Labels.NONE);
    }

    /** The same with what doors have promised the pod there. */
    public void assume(PodUid uid, NodeUid node, Optional<HoldId> hold, Labels record) {
        Account account = accountsByUid.get(node);
        if (account == null) {
            throw new IllegalStateException("pod (%s): node (%s) is not known".formatted(uid, node));
        }
        hold.ifPresent(id -> requireClaimable(uid, account, id));
        assume(new Assumption(uid, account.name(), hold, record));
    }

    /** What another ledger assumed, with its node known or not and its hold there or not. */
    public void assume(Assumption assumption) {
        PodUid uid = assumption.pod();
        Optional<Assumption> known = assumption(uid);
        if (known.isPresent()) {
            if (known.get().equals(assumption)) {
                return;
            }
            throw new IllegalStateException("pod (%s) is already assumed on node (%s). Maybe forget that first."
                    .formatted(uid, known.get().nodeName()));
        }
        Pod pod = pod(uid).orElseThrow(() -> new IllegalStateException("pod (%s) is not known".formatted(uid)));
        if (pod.nodeName().isPresent() || pod.phase().terminal()) {
            throw new IllegalStateException("pod (%s) cannot be placed: it is on node (%s) in phase (%s)"
                    .formatted(pod, pod.nodeName().orElse(""), pod.phase()));
        }
        books = books.withAssumptions(books.assumptions().with(uid, assumption));
        rebook(Optional.empty(), Booking.of(pod, Optional.of(assumption), Optional.empty()));
    }

    /** What another ledger assumed of a pod and has seen since. */
    public void confirm(Assumption confirmed) {
        Optional<Booking> before = booking(confirmed.pod());
        books = books.withConfirmed(books.confirmed().with(confirmed.pod(), confirmed));
        rebook(before, booking(confirmed.pod()));
    }

    private static boolean isConfirmedBy(Assumption assumed, Pod pod) {
        boolean matters = assumed.hold().isPresent() || !assumed.record().isEmpty();
        return matters && pod.nodeName().equals(Optional.of(assumed.nodeName()));
    }

    /** What was assumed of the pod turned out not to be. The second time changes nothing. */
    public Optional<Assumption> forget(PodUid uid) {
        Optional<Assumption> assumption = assumption(uid);
        if (assumption.isPresent()) {
            Optional<Booking> before = booking(uid);
            books = books.withAssumptions(books.assumptions().without(uid));
            rebook(before, Optional.empty());
        }
        return assumption;
    }

    /** The holds whose deadline has come, by deadline and id. They end when whoever asks removes them. */
    public List<Hold> expiredAt(Instant now) {
        return expiredAt(now, Integer.MAX_VALUE);
    }

    /** The first of them. */
    public List<Hold> expiredAt(Instant now, int most) {
        return holdFile.expiredAt(now, most);
    }

    /**
     * The holds that can no longer draw on the hold that they were part of, and that the node has no room for beside that
     * hold, by node and id. The caller removes them; until then they stay.
     */
    public List<Hold> brokenDraws() {
        return brokenDraws.isEmpty()
                ? List.of()
                : brokenDraws.values().stream().flatMap(List::stream).toList();
    }

    public Optional<Instant> nextDeadline() {
        return holdFile.nextDeadline();
    }

    /** The holds that keep nothing because no node of their UID is known, in the order of their ids. */
    public List<Hold> holdsWithoutNode() {
        return holdFile.onNodes(uid -> !accountsByUid.containsKey(uid));
    }

    /** See {@link Claims}. Costs the same however many holds the node has. */
    @Override
    public Optional<Claim> claimBy(PodUid uid) {
        return booking(uid).flatMap(booking -> account(booking).claimBy(uid));
    }

    @Override
    public List<HoldId> backedBy(PodUid pod, String node) {
        @Nullable Account account = accounts.get(node);
        return account == null ? List.of() : account.backedBy(pod);
    }

    public List<Claim> claimsOf(HoldId id) {
        return holdState(id).map(HoldState::claims).orElse(List.of());
    }

    /**
     * The holds whose claims changed since this was last asked, in the order of their ids. News of one pod or hold can
     * change the claims on several holds of a node.
     */
    public Set<HoldId> takeClaimChanges() {
        if (claimChanges.isEmpty()) {
            return Set.of();
        }
        Set<HoldId> taken = claimChanges;
        claimChanges = new TreeSet<>();
        return taken;
    }

    /** Everything as it is now, for readers on any thread. Costs what changed since the last one. */
    public Snapshot snapshot() {
        return new Snapshot(
                slots.publish(), slotsByName, books, priorities.lowest(), new Snapshot.Age(log.version(), generation));
    }

    /** How everything would be without some of what is on the node; empty when there is no such node. */
    public Optional<LedgerView> without(String node, Absence absent) {
        Account account = accounts.get(node);
        return account == null || account.node().isEmpty()
                ? Optional.empty()
                : Optional.of(new WhatIf(this, books, account.without(absent), absent));
    }

    /** All that everything else here follows from. Costs a walk through everything. */
    public LedgerFacts facts() {
        return snapshot().facts();
    }

    @Override
    Books books() {
        return books;
    }

    @Override
    public Collection<OwnerRule> rulesFor(Pod pod) {
        Collection<OwnerRule> admitting = books.owners().rulesFor(pod);
        // All of them or none: who uses a drawing hold must be admitted to the hold that is drawn on, offered or not.
        return admitting.stream().anyMatch(offers::has) ? admitting : List.of();
    }

    /**
     * Holds whose owners match the pod but that the pod may not use, by their rules: see
     * {@link OwnerIndex#holdsClosedTo}.
     */
    public List<Hold> holdsClosedTo(Pod pod, int most) {
        return books.owners().holdsClosedTo(pod, most);
    }

    @Override
    public int countOffering(Collection<OwnerRule> rules) {
        int count = 0;
        for (OwnerRule rule : rules) {
            count += offers.nodes(rule).size();
        }
        return count;
    }

    @Override
    public Collection<String> nodesOffering(Collection<OwnerRule> rules) {
        Set<String> names = new TreeSet<>();
        for (OwnerRule rule : rules) {
            for (NodeUid uid : offers.nodes(rule)) {
                node(uid).ifPresent(state -> names.add(state.node().name()));
            }
        }
        return names;
    }

    /** Costs the same however many nodes there are. */
    @Override
    public List<String> firstOffering(Collection<OwnerRule> rules, int most) {
        return offers.firstNodes(rules, most);
    }

    @Override
    public List<Hold> offers(NodeState node, Collection<OwnerRule> rules) {
        List<Hold> offered = rules.isEmpty() ? List.of() : offers.on(node.node().uid(), rules);
        return offered.stream().allMatch(hold -> books.admittedThrough(hold, rules))
                ? offered
                : offered.stream()
                        .filter(hold -> books.admittedThrough(hold, rules))
                        .toList();
    }

    @Override
    public int slotBound() {
        return slots.bound();
    }

    @Override
    public Optional<NodeState> nodeAt(int slot) {
        return slots.get(slot);
    }

    @Override
    public Optional<NodeState> node(String name) {
        Account account = accounts.get(name);
        return account == null ? Optional.empty() : account.state();
    }

    /** The node of this identity, if it is known. */
    public Optional<NodeState> node(NodeUid uid) {
        Account account = accountsByUid.get(uid);
        return account == null ? Optional.empty() : account.state();
    }

    @Override
    public int nodeCount() {
        return slots.count();
    }

    @Override
    public OptionalInt lowestPriority() {
        return priorities.lowest();
    }

    @Override
    public long version() {
        return log.version();
    }

    @Override
    public boolean changesSince(long since, Changes changes) {
        return log.tellSince(since, changes);
    }

    private void requireClaimable(PodUid pod, Account account, HoldId id) {
        HoldState state = holdState(id)
                .orElseThrow(() -> new IllegalStateException("pod (%s): hold (%s) is not known".formatted(pod, id)));
        if (!state.nodeName().equals(Optional.of(account.name()))) {
            throw new IllegalStateException("pod (%s): hold (%s) is on node (%s), not on (%s)"
                    .formatted(pod, id, state.nodeName().orElse("unknown"), account.name()));
        }
        boolean claims = state.claims().stream().anyMatch(claim -> claim.pod().equals(pod));
        if (!state.claimable() && !claims) {
            String user = state.claims().isEmpty()
                    ? "another hold draws on it"
                    : "pod (%s) has it".formatted(state.claims().get(0).pod());
            throw new IllegalStateException("pod (%s): hold (%s) is for once and %s".formatted(pod, id, user));
        }
    }

    private static PodNews meaning(Pod pod, Optional<Assumption> assumption) {
        if (assumption.isEmpty() || pod.nodeName().isEmpty()) {
            return PodNews.UPDATED;
        }
        return pod.nodeName().equals(assumption.map(Assumption::nodeName)) ? PodNews.CONFIRMED : PodNews.ELSEWHERE;
    }

    private Optional<Booking> booking(PodUid uid) {
        return pod(uid).flatMap(pod -> Booking.of(pod, assumption(uid), books.confirmed(uid)));
    }

    private void rebook(Optional<Booking> before, Optional<Booking> after) {
        generation++;
        Optional<Claim> claimed =
                before.flatMap(booking -> account(booking).claimBy(booking.pod().uid()));
        @Nullable
        Account left = before.map(booking -> accounts.get(booking.nodeName())).orElse(null);
        @Nullable
        Account joined = after.map(booking -> accounts.computeIfAbsent(booking.nodeName(), Account::new))
                .orElse(null);
        if (left != null) {
            left.remove(before.orElseThrow());
        }
        before.filter(Booking::counts)
                .ifPresent(booking -> priorities.remove(booking.pod().priority()));
        after.filter(Booking::counts)
                .ifPresent(booking -> priorities.add(booking.pod().priority()));
        if (joined != null) {
            joined.add(after.orElseThrow());
            settle(joined);
        }
        if (left != null && left != joined) {
            settle(left);
        }
        logMove(before, after, claimed);
        if (left != null) {
            closeIfEmpty(left);
        }
    }

    /** @param claimed what the pod claimed before */
    private void logMove(Optional<Booking> before, Optional<Booking> after, Optional<Claim> claimed) {
        if (before.isPresent() && after.isPresent() && before.get().looksLike(after.get())) {
            Account account = account(after.get());
            boolean sameClaim = claimed.equals(account.claimBy(after.get().pod().uid()));
            if (account.hasHolds() && !sameClaim) {
                log.nodeChanged(account.slot());
            }
            return;
        }
        before.ifPresent(booking -> log(booking, false));
        after.ifPresent(booking -> log(booking, true));
    }

    private void log(Booking booking, boolean arrived) {
        Account account = account(booking);
        if (account.slot() < 0) {
            return;
        }
        if (!booking.counts()) {
            if (account.hasHolds()) {
                log.nodeChanged(account.slot());
            }
        } else if (arrived) {
            log.podArrived(account.slot(), booking.pod());
        } else {
            log.podLeft(account.slot(), booking.pod());
        }
    }

    private Account account(Booking booking) {
        Account account = accounts.get(booking.nodeName());
        if (account == null) {
            throw new IllegalStateException("no account for node (%s)".formatted(booking.nodeName()));
        }
        return account;
    }

    private void open(Node node) {
        Account account = accounts.computeIfAbsent(node.name(), Account::new);
        int slot = slots.take();
        account.open(node, slot, holdFile.on(node.uid()));
        accountsByUid.put(node.uid(), account);
        slotsByName = slotsByName.with(node.name(), slot);
        slots.occupy(slot, account);
        settle(account);
        log.nodeChanged(slot);
    }

    private void change(Account account, Node node) {
        if (!account.node().equals(Optional.of(node))) {
            account.replace(node);
            settle(account);
            log.nodeChanged(account.slot());
        }
    }

    /** A hold of this node changed: if the node is known, its account is told. */
    private void refile(NodeUid node, Consumer<Account> change) {
        Account account = accountsByUid.get(node);
        if (account != null) {
            change.accept(account);
            settle(account);
            log.nodeChanged(account.slot());
        }
    }

    /** Takes the hold out of everything but its node's account. */
    private void drop(Hold hold) {
        holdFile.remove(hold);
        offers.remove(hold.id());
        books = books.withOwners(books.owners().without(hold.id()))
                .withHolds(books.holds().without(hold.id()));
    }

    private void settle(Account account) {
        generation++;
        List<HoldState> news = account.touch(generation);
        if (account.slot() >= 0) {
            slots.touch(account.slot());
        }
        if (!news.isEmpty()) {
            TrieMap<HoldId, HoldState> holds = books.holds();
            for (HoldState state : news) {
                @Nullable HoldState before = holds.get(state.hold().id());
                if (before == null || !before.claims().equals(state.claims())) {
                    claimChanges.add(state.hold().id());
                }
                holds = holds.with(state.hold().id(), state);
                offers.put(state);
            }
            books = books.withHolds(holds);
        }
        List<Hold> broken = account.brokenDraws();
        if (broken.isEmpty()) {
            brokenDraws.remove(account.name());
        } else {
            brokenDraws.put(account.name(), broken);
        }
    }

    private void closeIfEmpty(Account account) {
        if (account.isEmpty()) {
            accounts.remove(account.name());
        }
    }
}
