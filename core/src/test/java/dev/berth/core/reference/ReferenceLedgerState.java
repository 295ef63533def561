package dev.berth.core.reference;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Namespace;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.AllocatePolicy;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Removals;
import dev.berth.core.resource.ResourceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** All that follows from the facts of one moment, formula by formula, each worked out from the ones before it. */
public final class ReferenceLedgerState {
    private final ReferenceLedger facts;
    private final Map<String, List<Pod>> podsByNode = new HashMap<>();
    private final Map<HoldId, List<Claim>> claims = new HashMap<>();
    /** What of a pod's room no hold that it backs has been credited with. */
    private final Map<PodUid, Map<ResourceName, Long>> uncredited = new HashMap<>();
    /** What the backers of a hold bring to it. */
    private final Map<HoldId, Map<ResourceName, Long>> backed = new HashMap<>();
    /** The same of each backer. */
    private final Map<HoldId, Map<PodUid, Map<ResourceName, Long>>> backedBy = new HashMap<>();
    /** What a hold draws on another one; absent where it may draw nothing. */
    private final Map<HoldId, Map<ResourceName, Long>> drawn = new HashMap<>();

    private final Map<HoldId, Map<ResourceName, Long>> outstanding = new HashMap<>();

    ReferenceLedgerState(ReferenceLedger facts) {
        this.facts = facts;
        facts.nodes().forEach(node -> podsByNode.put(node.name(), findPodsOn(node)));
        facts.holds().forEach(hold -> claims.put(hold.id(), findClaims(hold)));
        facts.pods().forEach(pod -> uncredited.put(pod.uid(), ReferenceArithmetic.requests(pod)));
        ReferenceLedger.sorted(facts.holds()).forEach(this::creditBackers);
        ReferenceLedger.sorted(facts.holds()).forEach(this::draw);
        facts.holds().forEach(hold -> outstanding.put(hold.id(), findOutstanding(hold)));
    }

    public List<Pod> podsOn(Node node) {
        return podsByNode.getOrDefault(node.name(), List.of());
    }

    public List<Claim> claims(Hold hold) {
        return claims.getOrDefault(hold.id(), List.of());
    }

    public boolean spent(Hold hold) {
        return hold.allocateOnce() && claims(hold).stream().anyMatch(Claim::confirmed);
    }

    public Map<ResourceName, Long> outstanding(Hold hold) {
        return outstanding.getOrDefault(hold.id(), Map.of());
    }

    public List<Hold> holdsOn(Node node) {
        return ReferenceLedger.sorted(facts.holds().stream()
                .filter(hold -> hold.node().equals(node.uid()))
                .toList());
    }

    /** The holds that count as pods: no pod is in their place. */
    public List<Hold> neighboursOn(Node node) {
        Set<PodUid> there = podsOn(node).stream().map(Pod::uid).collect(Collectors.toSet());
        return holdsOn(node).stream()
                .filter(hold -> hold.neighbour().isPresent() && claims(hold).isEmpty())
                .filter(hold -> hold.backers().stream().noneMatch(there::contains))
                .toList();
    }

    public Map<ResourceName, Long> used(Node node) {
        Map<ResourceName, Long> sum = new TreeMap<>();
        podsOn(node).forEach(pod -> ReferenceArithmetic.add(sum, ReferenceArithmetic.requests(pod)));
        return sum;
    }

    public Map<ResourceName, Long> scoringUsed(Node node) {
        Map<ResourceName, Long> sum = new TreeMap<>();
        podsOn(node)
                .forEach(pod -> ReferenceArithmetic.add(
                        sum, pod.spec().scoringRequests().toMap()));
        return sum;
    }

    public Map<ResourceName, Long> outstanding(Node node) {
        Map<ResourceName, Long> sum = new TreeMap<>();
        holdsOn(node).forEach(hold -> ReferenceArithmetic.add(sum, outstanding(hold)));
        return sum;
    }

    public Map<ResourceName, Long> free(Node node) {
        return ReferenceArithmetic.minus(
                ReferenceArithmetic.minus(node.allocatable().toMap(), used(node)), outstanding(node));
    }

    /**
     * By how much more is used and kept than there is: now without the nominations that wait for victims, or when these
     * victims have left.
     */
    public Map<ResourceName, Long> shortfall(Node node) {
        Set<PodUid> there = podsOn(node).stream().map(Pod::uid).collect(Collectors.toSet());
        List<Hold> waiting = holdsOn(node).stream()
                .filter(hold -> hold.origin().component() == Origin.PluginId.PREEMPTION)
                .filter(hold -> hold.backers().stream().anyMatch(there::contains))
                .toList();
        Set<PodUid> victims = waiting.stream()
                .flatMap(hold -> hold.backers().stream())
                .filter(there::contains)
                .collect(Collectors.toSet());
        Set<HoldId> nominations = waiting.stream().map(Hold::id).collect(Collectors.toSet());
        List<ReferenceLedgerState> moments = waiting.isEmpty()
                ? List.of(this)
                : List.of(
                        facts.without(new Removals(Set.of(), nominations)).compute(),
                        facts.without(new Removals(victims, Set.of())).compute());
        Map<ResourceName, Long> missing = new TreeMap<>();
        for (ReferenceLedgerState moment : moments) {
            ReferenceArithmetic.minus(Map.of(), moment.free(node))
                    .forEach((name, amount) -> missing.merge(name, amount, Math::max));
        }
        missing.values().removeIf(amount -> amount <= 0);
        return missing;
    }

    /** What the claims ask for in the hold's dimensions. */
    public Map<ResourceName, Long> allocated(Hold hold) {
        Map<ResourceName, Long> sum = new TreeMap<>();
        for (Claim claim : claims(hold)) {
            facts.pod(claim.pod())
                    .filter(pod -> !pod.phase().isTerminal())
                    .ifPresent(pod -> ReferenceArithmetic.add(sum, ReferenceArithmetic.requests(pod)));
        }
        sum.keySet().retainAll(hold.size().toMap().keySet());
        return sum;
    }

    public List<Hold> holdsFor(Pod pod) {
        return facts.holds().stream()
                .filter(hold -> hold.admits(pod))
                .filter(hold -> facts.nodeOf(hold).isPresent())
                .filter(this::claimable)
                .filter(hold -> drawsOn(hold).map(source -> source.admits(pod)).orElse(true))
                .sorted(Comparator.comparing((Hold hold) ->
                                facts.nodeOf(hold).map(Node::name).orElse(""))
                        .thenComparing(Hold::id))
                .toList();
    }

    /** free + outstanding; for a restricting hold no more than outstanding; only free if another pod has the hold. */
    public Map<ResourceName, Long> availableWith(Hold hold) {
        Map<ResourceName, Long> room = new TreeMap<>(free(facts.nodeOf(hold).orElseThrow()));
        if (!claimable(hold)) {
            return room;
        }
        Map<ResourceName, Long> remaining = remainingForOwners(hold);
        ReferenceArithmetic.add(room, remaining);
        if (hold.policy() instanceof AllocatePolicy.Restricted restricted) {
            for (ResourceName name : restricted.resources()) {
                if (hold.size().has(name)) {
                    room.merge(name, remaining.getOrDefault(name, 0L), Math::min);
                }
            }
        }
        return room;
    }

    /** What it still holds, without what no owner may use. */
    public Map<ResourceName, Long> remainingForOwners(Hold hold) {
        Map<ResourceName, Long> left = new TreeMap<>(outstanding(hold));
        left.replaceAll((name, amount) -> Math.max(0, amount - innerReserved(hold, name)));
        return left;
    }

    /** What no owner may use: at most what it holds. */
    private static long innerReserved(Hold hold, ResourceName name) {
        return Math.min(
                Math.max(0, hold.policy().innerReserved().get(name)),
                hold.size().get(name));
    }

    /** Whether a pod may begin to use it: one for once neither when a pod has it nor when a hold draws on it. */
    public boolean claimable(Hold hold) {
        boolean used = !claims(hold).isEmpty() || !drawers(hold).isEmpty();
        return facts.nodeOf(hold).isPresent() && !(hold.allocateOnce() && used);
    }

    /** The hold that this one draws on, if it may. */
    public Optional<Hold> drawsOn(Hold hold) {
        return drawn.containsKey(hold.id()) ? hold.draw().flatMap(draw -> facts.hold(draw.source())) : Optional.empty();
    }

    public Map<ResourceName, Long> drawnBy(Hold hold) {
        return drawn.getOrDefault(hold.id(), Map.of());
    }

    /** The holds that draw on this one. */
    public List<Hold> drawers(Hold hold) {
        return facts.holds().stream()
                .filter(other -> drawsOn(other).equals(Optional.of(hold)))
                .toList();
    }

    /** Where a hold draws nothing on its source although its node is over-committed in what both have; by node and id. */
    public List<Hold> brokenDraws() {
        return facts.holds().stream()
                .filter(hold -> facts.nodeOf(hold).isPresent())
                .filter(this::lacksRoomOfItsSource)
                .sorted(Comparator.comparing((Hold hold) ->
                                facts.nodeOf(hold).map(Node::name).orElse(""))
                        .thenComparing(Hold::id))
                .toList();
    }

    private boolean lacksRoomOfItsSource(Hold hold) {
        Map<ResourceName, Long> free = free(facts.nodeOf(hold).orElseThrow());
        Optional<Hold> source = hold.draw()
                .flatMap(draw -> facts.hold(draw.source()))
                .filter(other -> other.node().equals(hold.node()));
        return source.isPresent()
                && drawsOn(hold).isEmpty()
                && hold.size().toMap().entrySet().stream()
                        .filter(wanted -> free.getOrDefault(wanted.getKey(), 0L) < 0)
                        .anyMatch(wanted ->
                                Math.min(wanted.getValue(), source.get().size().get(wanted.getKey())) > 0);
    }

    public List<HostPort> usedPortsWith(Hold hold) {
        Set<HoldId> leftOut = new HashSet<>(Set.of(hold.id()));
        drawsOn(hold).ifPresent(source -> leftOut.add(source.id()));
        return ports(facts.nodeOf(hold).orElseThrow(), leftOut);
    }

    public List<HostPort> ports(Node node, Set<HoldId> leftOut) {
        TreeSet<HostPort> ports = new TreeSet<>();
        podsOn(node).forEach(pod -> ports.addAll(pod.spec().hostPorts()));
        for (Hold hold : holdsOn(node)) {
            if (!leftOut.contains(hold.id())) {
                ports.addAll(hold.ports());
            }
        }
        return List.copyOf(ports);
    }

    public Labels namespaceLabels(String name) {
        return facts.namespaces().stream()
                .filter(namespace -> namespace.name().equals(name))
                .map(Namespace::labels)
                .findFirst()
                .orElse(Labels.NONE);
    }

    public List<Workload> workloadsOf(Pod pod) {
        return facts.workloads().stream()
                .filter(workload -> workload.namespace().equals(pod.namespace()))
                .filter(workload -> ReferenceArithmetic.selects(workload, pod))
                .sorted(Comparator.comparing(Workload::kind).thenComparing(Workload::name))
                .toList();
    }

    /** Bound or assumed, by whomever, and not at its end. */
    private List<Pod> findPodsOn(Node node) {
        return facts.pods().stream()
                .filter(pod -> facts.nodeNameOf(pod).equals(Optional.of(node.name())))
                .filter(pod -> !pod.phase().isTerminal())
                .sorted(Comparator.comparing(Pod::uid))
                .toList();
    }

    /**
     * Pods on the hold's node that were assumed to use it, that its object lists, or that say so and are admitted. A hold
     * for once takes those that were assumed or listed, at their end since or not, else the first of those that say so.
     */
    private List<Claim> findClaims(Hold hold) {
        List<Claim> proven = new ArrayList<>();
        List<Claim> said = new ArrayList<>();
        for (Pod pod : facts.pods()) {
            boolean lives = hold.allocateOnce() || !pod.phase().isTerminal();
            Claim claim = new Claim(hold.id(), pod.uid(), pod.nodeName().isPresent());
            if (lives && provenHold(pod).equals(Optional.of(hold.id()))) {
                proven.add(claim);
            } else if (lives
                    && provenHold(pod).isEmpty()
                    && sharesNode(pod, hold)
                    && hold.matchesOwner(pod)
                    && !hold.backers().contains(pod.uid())
                    && facts.holdRecordedOn(pod).equals(Optional.of(hold.id()))) {
                said.add(claim);
            }
        }
        said.sort(Comparator.comparing(Claim::pod));
        if (hold.allocateOnce()) {
            proven.addAll(proven.isEmpty() && !said.isEmpty() ? List.of(said.get(0)) : List.of());
        } else {
            proven.addAll(said);
        }
        proven.sort(Comparator.comparing((Claim claim) -> !claim.confirmed()).thenComparing(Claim::pod));
        return proven;
    }

    private boolean sharesNode(Pod pod, Hold hold) {
        Optional<String> node = facts.nodeOf(hold).map(Node::name);
        return node.isPresent() && facts.nodeNameOf(pod).equals(node);
    }

    /** The hold on its node that it was assumed to use, else one that lists it: the one it says, or the first by id. */
    private Optional<HoldId> provenHold(Pod pod) {
        List<HoldId> here = ReferenceLedger.sorted(facts.holds()).stream()
                .filter(hold -> sharesNode(pod, hold))
                .map(Hold::id)
                .toList();
        Optional<HoldId> assumed =
                facts.holdsAssumedFor(pod).stream().filter(here::contains).findFirst();
        // Of a pod at its end nothing is known but what was assumed of it and what it says.
        boolean forgotten = pod.phase().isTerminal()
                && facts.holdsAssumedFor(pod).isEmpty()
                && facts.holdRecordedOn(pod).isEmpty();
        if (assumed.isPresent() || pod.nodeName().isEmpty() || forgotten) {
            return assumed;
        }
        List<HoldId> listing = here.stream()
                .filter(id -> facts.hold(id).orElseThrow().listedUsers().contains(pod.uid()))
                .toList();
        return listing.stream()
                .filter(id -> facts.holdRecordedOn(pod).equals(Optional.of(id)))
                .findFirst()
                .or(() -> listing.stream().findFirst());
    }

    /**
     * What the hold lacks of its size beside its own claims comes from its backers: first from those that claim no hold,
     * then from the others, and from those that back fewer holds before those that back more; what a backer has given to
     * one hold it does not give to another.
     */
    private void creditBackers(Hold hold) {
        if (facts.nodeOf(hold).isEmpty()) {
            return;
        }
        Map<ResourceName, Long> lacking = remaining(hold);
        lacking.replaceAll((name, amount) -> Math.max(0, amount));
        List<Pod> backers = podsOn(facts.nodeOf(hold).get()).stream()
                .filter(pod -> hold.backers().contains(pod.uid()))
                .filter(pod -> !claims(hold).stream().map(Claim::pod).toList().contains(pod.uid()))
                .sorted(Comparator.comparing(this::claimsSomething)
                        .thenComparing(pod -> countHoldsBackedBy(pod, hold))
                        .thenComparing(Pod::uid))
                .toList();
        Map<ResourceName, Long> brought = new TreeMap<>();
        for (Pod backer : backers) {
            Map<ResourceName, Long> room = new TreeMap<>(uncreditedRoomOf(backer));
            for (ResourceName name : hold.size().toMap().keySet()) {
                long part = Math.min(room.getOrDefault(name, 0L), lacking.getOrDefault(name, 0L));
                room.merge(name, -part, Long::sum);
                lacking.merge(name, -part, Long::sum);
                brought.merge(name, part, Long::sum);
                backedBy.computeIfAbsent(hold.id(), id -> new HashMap<>())
                        .computeIfAbsent(backer.uid(), uid -> new TreeMap<>())
                        .merge(name, part, Long::sum);
            }
            uncredited.put(backer.uid(), room);
        }
        backed.put(hold.id(), brought);
    }

    private long countHoldsBackedBy(Pod pod, Hold one) {
        return facts.holds().stream()
                .filter(hold -> hold.node().equals(one.node()))
                .filter(hold -> hold.backers().contains(pod.uid()))
                .count();
    }

    private boolean claimsSomething(Pod pod) {
        return facts.holds().stream()
                .anyMatch(hold ->
                        claims(hold).stream().anyMatch(claim -> claim.pod().equals(pod.uid())));
    }

    private Map<ResourceName, Long> uncreditedRoomOf(Pod pod) {
        return uncredited.getOrDefault(pod.uid(), Map.of());
    }

    /**
     * The size without the room of claims, as far as that is not promised to a hold that the claimant backs. Claims use
     * nothing of what no owner may use.
     */
    private Map<ResourceName, Long> remaining(Hold hold) {
        Map<ResourceName, Long> left = new TreeMap<>(hold.size().toMap());
        left.replaceAll((name, amount) -> amount - innerReserved(hold, name));
        for (Claim claim : claims(hold)) {
            facts.pod(claim.pod())
                    .filter(pod -> !pod.phase().isTerminal())
                    .ifPresent(pod -> uncreditedRoomOf(pod)
                            .forEach((name, amount) -> left.computeIfPresent(name, (same, known) -> known - amount)));
        }
        left.replaceAll((name, amount) ->
                innerReserved(hold, name) == 0 ? amount : Math.max(0, amount) + innerReserved(hold, name));
        return left;
    }

    /**
     * min(size, what claims and earlier draws leave of the other hold), where that one admits the owner. One for once that
     * a pod has gives nothing, unless that pod is about to leave it to this hold.
     */
    private void draw(Hold hold) {
        Optional<Hold> source = hold.draw()
                .flatMap(draw -> facts.hold(draw.source()))
                .filter(other ->
                        other.node().equals(hold.node()) && facts.nodeOf(other).isPresent())
                .filter(other -> other.matchesOwner(hold.draw().orElseThrow().owner()))
                .filter(other -> precedesInDrawOrder(hold, other))
                .filter(other -> !other.allocateOnce()
                        || claims(other).stream().map(Claim::pod).allMatch(hold.backers()::contains));
        if (source.isEmpty()) {
            return;
        }
        Map<ResourceName, Long> left = remaining(source.get());
        left.replaceAll((name, amount) -> amount - innerReserved(source.get(), name));
        drawers(source.get())
                .forEach(earlier -> drawnBy(earlier).forEach((name, amount) -> left.merge(name, -amount, Long::sum)));
        Map<ResourceName, Long> amounts = new TreeMap<>();
        left.forEach((name, amount) ->
                amounts.put(name, Math.min(Math.max(0, wanted(hold, source.get(), name)), Math.max(0, amount))));
        boolean enough = !(source.get().policy() instanceof AllocatePolicy.Restricted restricted)
                || restricted.resources().stream()
                        .filter(amounts::containsKey)
                        .allMatch(name -> Math.max(0, left.getOrDefault(name, 0L))
                                >= hold.size().get(name));
        if (enough) {
            drawn.put(hold.id(), amounts);
        }
    }

    /** A nomination comes before holds that draw, and these before holds that do not: none draws on its like. */
    private static boolean precedesInDrawOrder(Hold hold, Hold source) {
        return drawRank(hold) < drawRank(source);
    }

    private static int drawRank(Hold hold) {
        if (hold.origin().component() == Origin.PluginId.PREEMPTION) {
            return 0;
        }
        return hold.draw().isPresent() ? 1 : 2;
    }

    /** Of the hold's size, what it has from no backer but those that leave it room of the source. */
    private long wanted(Hold hold, Hold source, ResourceName name) {
        long others = backedBy.getOrDefault(hold.id(), Map.of()).entrySet().stream()
                .filter(backer ->
                        claims(source).stream().noneMatch(claim -> claim.pod().equals(backer.getKey())))
                .mapToLong(backer -> backer.getValue().getOrDefault(name, 0L))
                .sum();
        return hold.size().get(name) - others;
    }

    /** max(0, size − claims − backers − draws); nothing without a node. */
    private Map<ResourceName, Long> findOutstanding(Hold hold) {
        if (facts.nodeOf(hold).isEmpty()) {
            return Map.of();
        }
        Map<ResourceName, Long> left = remaining(hold);
        backed.getOrDefault(hold.id(), Map.of()).forEach((name, amount) -> left.merge(name, -amount, Long::sum));
        drawers(hold).forEach(other -> drawnBy(other).forEach((name, amount) -> left.merge(name, -amount, Long::sum)));
        left.replaceAll((name, amount) -> Math.max(0, amount));
        return left;
    }
}
