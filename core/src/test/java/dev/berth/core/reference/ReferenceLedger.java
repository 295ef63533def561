package dev.berth.core.reference;

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
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.LedgerFacts;
import dev.berth.core.ledger.Removals;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The ledger as the model defines it: five lists of facts, and every result is computed from them by the formulas
 * ({@link ReferenceLedgerState}). It caches nothing, and shares only the value types with the real ledger.
 */
public final class ReferenceLedger {
    private final List<Node> nodes = new ArrayList<>();
    private final List<Pod> pods = new ArrayList<>();
    private final List<Hold> holds = new ArrayList<>();
    private final List<Workload> workloads = new ArrayList<>();
    private final List<Namespace> namespaces = new ArrayList<>();
    private final List<Assumption> assumptions = new ArrayList<>();
    /** Of pods that were assumed to use a hold and are bound where they were assumed. */
    private final List<Assumption> confirmed = new ArrayList<>();

    /** With all facts of a real ledger. */
    public static ReferenceLedger of(LedgerFacts facts) {
        ReferenceLedger reference = new ReferenceLedger();
        reference.nodes.addAll(facts.nodes());
        reference.pods.addAll(facts.pods());
        reference.holds.addAll(facts.holds());
        reference.workloads.addAll(facts.workloads());
        reference.namespaces.addAll(facts.namespaces());
        reference.assumptions.addAll(facts.assumptions());
        reference.confirmed.addAll(facts.confirmed());
        return reference;
    }

    /** The same without these pods and holds. */
    ReferenceLedger without(Removals removals) {
        ReferenceLedger rest = new ReferenceLedger();
        rest.nodes.addAll(nodes);
        rest.workloads.addAll(workloads);
        rest.namespaces.addAll(namespaces);
        pods.stream().filter(pod -> !removals.pods().contains(pod.uid())).forEach(rest.pods::add);
        holds.stream().filter(hold -> !removals.holds().contains(hold.id())).forEach(rest.holds::add);
        assumptions.stream().filter(it -> !removals.pods().contains(it.pod())).forEach(rest.assumptions::add);
        confirmed.stream().filter(it -> !removals.pods().contains(it.pod())).forEach(rest.confirmed::add);
        return rest;
    }

    // The facts.

    public List<Hold> put(Node node) {
        List<Hold> ended = new ArrayList<>();
        for (Node other : List.copyOf(nodes)) {
            boolean same = other.uid().equals(node.uid()) && other.name().equals(node.name());
            if (!same && (other.uid().equals(node.uid()) || other.name().equals(node.name()))) {
                ended.addAll(removeNode(other.uid()));
            }
        }
        nodes.removeIf(other -> other.uid().equals(node.uid()));
        nodes.add(node);
        return ended;
    }

    public List<Hold> removeNode(NodeUid uid) {
        if (!nodes.removeIf(node -> node.uid().equals(uid))) {
            return List.of();
        }
        List<Hold> ended =
                sorted(holds.stream().filter(hold -> hold.node().equals(uid)).toList());
        holds.removeAll(ended);
        return ended;
    }

    public void put(Pod pod) {
        Optional<Pod> known = pod(pod.uid());
        boolean unbinds =
                known.flatMap(Pod::nodeName).isPresent() && pod.nodeName().isEmpty();
        boolean undeletes = known.map(Pod::terminating).orElse(false) && !pod.terminating();
        if (unbinds || undeletes) {
            return;
        }
        pods.removeIf(other -> other.uid().equals(pod.uid()));
        pods.add(pod);
        assumption(pod.uid())
                .filter(it -> pod.nodeName().equals(Optional.of(it.nodeName())))
                .ifPresent(confirmed::add);
        if (pod.nodeName().isPresent() || pod.phase().isTerminal()) {
            forget(pod.uid());
        }
    }

    public void removePod(PodUid uid) {
        pods.removeIf(pod -> pod.uid().equals(uid));
        confirmed.removeIf(assumption -> assumption.pod().equals(uid));
        forget(uid);
    }

    public void put(Workload workload) {
        remove(workload.key());
        workloads.add(workload);
    }

    public void remove(Workload.WorkloadKey key) {
        workloads.removeIf(workload -> workload.key().equals(key));
    }

    public void put(Namespace namespace) {
        removeNamespace(namespace.name());
        namespaces.add(namespace);
    }

    public void removeNamespace(String name) {
        namespaces.removeIf(namespace -> namespace.name().equals(name));
    }

    public void put(Hold hold) {
        removeHold(hold.id());
        holds.add(hold);
    }

    public void removeHold(HoldId id) {
        holds.removeIf(hold -> hold.id().equals(id));
    }

    /** Whether the pod may be assumed there. */
    public boolean mayAssume(PodUid uid, NodeUid node, Optional<HoldId> hold) {
        Optional<Pod> pod = pod(uid);
        Optional<Node> target =
                nodes.stream().filter(other -> other.uid().equals(node)).findFirst();
        boolean placeable = pod.isPresent()
                && pod.get().nodeName().isEmpty()
                && !pod.get().phase().isTerminal()
                && assumption(uid).isEmpty();
        boolean claimable = hold.map(this::hold)
                .map(found -> found.isPresent()
                        && found.get().node().equals(node)
                        && compute().claimable(found.get()))
                .orElse(true);
        return placeable && target.isPresent() && claimable;
    }

    /** What the binding of a pod that uses the hold records: the last of the holds that draw on each other from there on. */
    public Labels bindAnnotationsFor(Optional<HoldId> used) {
        List<HoldId> chain = new ArrayList<>();
        ReferenceLedgerState states = compute();
        for (Optional<Hold> next = used.flatMap(this::hold); next.isPresent(); next = states.drawsOn(next.get())) {
            chain.add(next.get().id());
        }
        int last = chain.size() - 1;
        return chain.isEmpty()
                ? Labels.NONE
                : Labels.of(Claim.bindAnnotations(chain.get(last), chain.subList(0, last)));
    }

    public void assume(PodUid uid, NodeUid node, Optional<HoldId> hold) {
        String name = nodes.stream()
                .filter(other -> other.uid().equals(node))
                .findFirst()
                .orElseThrow()
                .name();
        assumptions.add(new Assumption(uid, name, hold, bindAnnotationsFor(hold)));
    }

    public void forget(PodUid uid) {
        assumptions.removeIf(assumption -> assumption.pod().equals(uid));
    }

    // What is known.

    public LedgerFacts facts() {
        return new LedgerFacts(nodes, pods, holds, workloads, assumptions, confirmed, namespaces);
    }

    public List<Node> nodes() {
        return nodes;
    }

    public List<Pod> pods() {
        return pods;
    }

    public List<Hold> holds() {
        return holds;
    }

    public List<Workload> workloads() {
        return workloads;
    }

    public List<Namespace> namespaces() {
        return namespaces;
    }

    public Optional<Pod> pod(PodUid uid) {
        return pods.stream().filter(pod -> pod.uid().equals(uid)).findFirst();
    }

    public Optional<Hold> hold(HoldId id) {
        return holds.stream().filter(hold -> hold.id().equals(id)).findFirst();
    }

    public Optional<Assumption> assumption(PodUid uid) {
        return assumptions.stream()
                .filter(assumption -> assumption.pod().equals(uid))
                .findFirst();
    }

    /** All that follows from the facts as they are now. */
    public ReferenceLedgerState compute() {
        return new ReferenceLedgerState(this);
    }

    public Optional<Node> nodeOf(Hold hold) {
        return nodes.stream().filter(node -> node.uid().equals(hold.node())).findFirst();
    }

    /** Where it is bound or assumed. */
    public Optional<String> nodeNameOf(Pod pod) {
        return pod.nodeName().or(() -> assumption(pod.uid()).map(Assumption::nodeName));
    }

    /** What was assumed of it: the hold it was placed with, and so on to the recorded one; once it shows, the other way. */
    public List<HoldId> holdsAssumedFor(Pod pod) {
        List<HoldId> assumed = new ArrayList<>();
        assumptions.stream().filter(it -> it.pod().equals(pod.uid())).forEach(it -> assumed.addAll(chain(it)));
        for (Assumption it : confirmed) {
            if (it.pod().equals(pod.uid())) {
                List<HoldId> chain = chain(it);
                for (int last = chain.size() - 1; last >= 0; last--) {
                    assumed.add(chain.get(last));
                }
            }
        }
        return assumed;
    }

    private static List<HoldId> chain(Assumption assumption) {
        Set<HoldId> chain = new LinkedHashSet<>();
        assumption.hold().ifPresent(chain::add);
        assumption.bindAnnotations().get("berth.dev/drawing-holds").stream()
                .flatMap(ids -> Stream.of(ids.split(",")))
                .map(HoldId::new)
                .forEach(chain::add);
        assumption.bindAnnotations().get("berth.dev/hold").map(HoldId::new).ifPresent(chain::add);
        return List.copyOf(chain);
    }

    /** What its annotation says. Before the pod is bound that means nothing. */
    public Optional<HoldId> holdRecordedOn(Pod pod) {
        return pod.annotations()
                .get("berth.dev/hold")
                .filter(value -> !value.isBlank())
                .or(() -> pod.annotations()
                        .get("scheduling.koordinator.sh/reservation-allocated")
                        .filter(value -> value.matches("\\{\"name\":\"[^\"]*\",\"uid\":\"[^\"]+\"}"))
                        .map(value -> "koordinator/" + value.replaceAll(".*:\"|\"}", "")))
                .filter(value -> pod.nodeName().isPresent())
                .map(HoldId::new);
    }

    public List<Hold> expiredAt(Instant now) {
        return holds.stream()
                .filter(hold ->
                        hold.deadline().isPresent() && !hold.deadline().get().isAfter(now))
                .sorted(Comparator.comparing((Hold hold) -> hold.deadline().orElseThrow())
                        .thenComparing(Hold::id))
                .toList();
    }

    public Optional<Instant> nextDeadline() {
        return holds.stream().flatMap(hold -> hold.deadline().stream()).min(Comparator.naturalOrder());
    }

    static List<Hold> sorted(List<Hold> some) {
        return some.stream().sorted(Comparator.comparing(Hold::id)).toList();
    }
}
