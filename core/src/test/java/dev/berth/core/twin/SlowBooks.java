package dev.berth.core.twin;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.cluster.neighbour.Namespace;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.HoldPolicy;
import dev.berth.core.resource.ResourceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** All that follows from the facts of one moment, formula by formula, each worked out from the ones before it. */
public final class SlowBooks {
    private final SlowLedger facts;
    private final Map<String, List<Pod>> podsByNode = new HashMap<>();
    private final Map<HoldId, List<Claim>> claims = new HashMap<>();
    private final Map<PodUid, HoldId> creditedTo = new HashMap<>();
    private final Map<HoldId, Map<ResourceName, Long>> outstanding = new HashMap<>();

    SlowBooks(SlowLedger facts) {
        this.facts = facts;
        facts.nodes().forEach(node -> podsByNode.put(node.name(), findPodsOn(node)));
        facts.holds().forEach(hold -> claims.put(hold.id(), findClaims(hold)));
        facts.pods().forEach(pod -> findCredit(pod).ifPresent(hold -> creditedTo.put(pod.uid(), hold)));
        facts.holds().forEach(hold -> outstanding.put(hold.id(), findOutstanding(hold)));
    }

    public List<Pod> podsOn(Node node) {
        return podsByNode.getOrDefault(node.name(), List.of());
    }

    public List<Claim> claims(Hold hold) {
        return claims.getOrDefault(hold.id(), List.of());
    }

    public boolean spent(Hold hold) {
        return hold.once() && claims(hold).stream().anyMatch(Claim::confirmed);
    }

    public Map<ResourceName, Long> outstanding(Hold hold) {
        return outstanding.getOrDefault(hold.id(), Map.of());
    }

    public List<Hold> holdsOn(Node node) {
        return SlowLedger.sorted(facts.holds().stream()
                .filter(hold -> hold.node().equals(node.uid()))
                .toList());
    }

    public Map<ResourceName, Long> used(Node node) {
        Map<ResourceName, Long> sum = new TreeMap<>();
        podsOn(node).forEach(pod -> Slow.add(sum, Slow.requests(pod)));
        return sum;
    }

    public Map<ResourceName, Long> scoringUsed(Node node) {
        Map<ResourceName, Long> sum = new TreeMap<>();
        podsOn(node).forEach(pod -> Slow.add(sum, pod.shape().scoringRequests().toMap()));
        return sum;
    }

    public Map<ResourceName, Long> outstanding(Node node) {
        Map<ResourceName, Long> sum = new TreeMap<>();
        holdsOn(node).forEach(hold -> Slow.add(sum, outstanding(hold)));
        return sum;
    }

    public Map<ResourceName, Long> free(Node node) {
        return Slow.minus(Slow.minus(node.allocatable().toMap(), used(node)), outstanding(node));
    }

    /** What the claims ask for in the hold's dimensions. */
    public Map<ResourceName, Long> allocated(Hold hold) {
        Map<ResourceName, Long> sum = new TreeMap<>();
        for (Claim claim : claims(hold)) {
            facts.pod(claim.pod())
                    .filter(pod -> !pod.phase().terminal())
                    .ifPresent(pod -> Slow.add(sum, Slow.requests(pod)));
        }
        sum.keySet().retainAll(hold.size().toMap().keySet());
        return sum;
    }

    public List<Hold> holdsFor(Pod pod) {
        return facts.holds().stream()
                .filter(hold -> hold.admits(pod))
                .filter(hold -> facts.nodeOf(hold).isPresent())
                .filter(hold -> !(hold.once() && !claims(hold).isEmpty()))
                .sorted(Comparator.comparing((Hold hold) ->
                                facts.nodeOf(hold).map(Node::name).orElse(""))
                        .thenComparing(Hold::id))
                .toList();
    }

    /** free + outstanding; where the hold restricts, no more than outstanding; free alone where somebody else has it. */
    public Map<ResourceName, Long> roomWith(Hold hold) {
        Map<ResourceName, Long> room = new TreeMap<>(free(facts.nodeOf(hold).orElseThrow()));
        if (hold.once() && !claims(hold).isEmpty()) {
            return room;
        }
        Slow.add(room, outstanding(hold));
        if (hold.policy() instanceof HoldPolicy.Restricted restricted) {
            for (ResourceName name : restricted.resources()) {
                if (hold.size().has(name)) {
                    room.merge(name, outstanding(hold).getOrDefault(name, 0L), Math::min);
                }
            }
        }
        return room;
    }

    public List<HostPort> ports(Node node, Optional<HoldId> leftOut) {
        TreeSet<HostPort> ports = new TreeSet<>();
        podsOn(node).forEach(pod -> ports.addAll(pod.shape().hostPorts()));
        for (Hold hold : holdsOn(node)) {
            if (!spent(hold) && !leftOut.equals(Optional.of(hold.id()))) {
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
                .filter(workload -> Slow.concerns(workload, pod))
                .sorted(Comparator.comparing(Workload::kind).thenComparing(Workload::name))
                .toList();
    }

    /** Bound or assumed, by whomever, and not at its end. */
    private List<Pod> findPodsOn(Node node) {
        return facts.pods().stream()
                .filter(pod -> facts.placeOf(pod).equals(Optional.of(node.name())))
                .filter(pod -> !pod.phase().terminal())
                .sorted(Comparator.comparing(Pod::uid))
                .toList();
    }

    /** Pods on the hold's node that say so. A hold for once goes to the first of them, be it at its end since. */
    private List<Claim> findClaims(Hold hold) {
        Optional<String> node = facts.nodeOf(hold).map(Node::name);
        List<Claim> found = new ArrayList<>();
        for (Pod pod : facts.pods()) {
            boolean here = node.isPresent() && facts.placeOf(pod).equals(node);
            boolean lives = hold.once() || !pod.phase().terminal();
            if (here && lives && facts.holdSaidBy(pod).equals(Optional.of(hold.id()))) {
                found.add(new Claim(hold.id(), pod.uid(), pod.nodeName().isPresent()));
            }
        }
        found.sort(Comparator.comparing((Claim claim) -> !claim.confirmed()).thenComparing(Claim::pod));
        return hold.once() && found.size() > 1 ? List.of(found.get(0)) : found;
    }

    /** Its room goes to the hold it claims, else to the first it backs, and never to two. */
    private Optional<HoldId> findCredit(Pod pod) {
        List<Hold> here = SlowLedger.sorted(facts.holds().stream()
                .filter(hold -> facts.nodeOf(hold).isPresent())
                .filter(hold -> facts.nodeOf(hold).map(Node::name).equals(facts.placeOf(pod)))
                .filter(hold -> !spent(hold))
                .toList());
        Optional<Hold> claimed = here.stream()
                .filter(hold ->
                        claims(hold).stream().anyMatch(claim -> claim.pod().equals(pod.uid())))
                .findFirst();
        Optional<Hold> backed =
                here.stream().filter(hold -> hold.backers().contains(pod.uid())).findFirst();
        return claimed.or(() -> backed).map(Hold::id);
    }

    /** max(0, size − what is credited to it); nothing once it is spent or without a node. */
    private Map<ResourceName, Long> findOutstanding(Hold hold) {
        if (spent(hold) || facts.nodeOf(hold).isEmpty()) {
            return Map.of();
        }
        Map<ResourceName, Long> credited = new TreeMap<>();
        for (Pod pod : podsOn(facts.nodeOf(hold).get())) {
            if (hold.id().equals(creditedTo.get(pod.uid()))) {
                Slow.add(credited, Slow.requests(pod));
            }
        }
        Map<ResourceName, Long> left = new TreeMap<>();
        hold.size()
                .toMap()
                .forEach((name, amount) -> left.put(name, Math.max(0, amount - credited.getOrDefault(name, 0L))));
        return left;
    }
}
