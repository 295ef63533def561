package dev.berth.core.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A node that is nominated for a pod or a placement request, with the victims there. */
final class Nomination {
    static final String PREFIX = "preemption/";

    /** How far the nomination is. */
    enum Stage {
        /** No victim is evicted before the nominated node is written. */
        UNWRITTEN,
        WRITTEN,
        /** The watch has shown the nominated node. A later difference is an edit by a user or another scheduler. */
        SHOWN
    }

    private final Pod pod;
    private final Preemptor preemptor;
    private final String node;
    private Set<PodUid> victims;
    private Stage stage;
    private long checkedGeneration = -1;
    private long drawGeneration = -1;

    Nomination(Pod pod, Preemptor preemptor, String node, Set<PodUid> victims, Stage stage) {
        this.pod = pod;
        this.preemptor = preemptor;
        this.node = node;
        this.victims = Set.copyOf(victims);
        this.stage = stage;
    }

    static Nomination of(PreemptionCandidate candidate, Pod pod, Preemptor preemptor, Stage stage) {
        Set<PodUid> victims = candidate.victims().stream().map(Pod::uid).collect(Collectors.toSet());
        return new Nomination(pod, preemptor, candidate.node(), victims, stage);
    }

    Pod pod() {
        return pod;
    }

    Preemptor preemptor() {
        return preemptor;
    }

    /** Whether the node is nominated for a placement request: the object of its door records that. */
    boolean isForRequest() {
        return !preemptor.isPod();
    }

    String node() {
        return node;
    }

    Set<PodUid> victims() {
        return victims;
    }

    /**
     * Removes victims that need not be evicted any more.
     *
     * @return whether there were any
     */
    boolean removeVictims(Predicate<PodUid> removable) {
        Set<PodUid> rest = victims.stream().filter(removable.negate()).collect(Collectors.toUnmodifiableSet());
        boolean fewer = rest.size() < victims.size();
        victims = rest;
        return fewer;
    }

    /** Whether the victim still uses the node. */
    boolean awaitsVictim(PodUid victim, LedgerView ledger) {
        return ledger.nodeNameOf(victim).filter(node::equals).isPresent();
    }

    boolean areVictimsGone(LedgerView ledger) {
        return victims.stream().noneMatch(victim -> awaitsVictim(victim, ledger));
    }

    /** The victims that still exist. */
    List<Pod> victimsIn(LedgerView ledger) {
        return victims.stream()
                .flatMap(victim -> ledger.pod(victim).stream())
                .sorted(Comparator.comparing(Pod::toString))
                .toList();
    }

    /**
     * Whether the nomination is still for what the pod needs. Everything about a placement request follows from the spec
     * of its object.
     */
    boolean isOfSamePod(Pod now) {
        return isForRequest()
                ? pod.toBuilder()
                        .nominatedNodeName(now.nominatedNodeName())
                        .build()
                        .equals(now)
                : now.spec().equals(pod.spec()) && now.priority() == pod.priority();
    }

    /** Whether the node changed since the last call. */
    boolean nodeChanged(NodeState now) {
        boolean changed = now.generation() != checkedGeneration;
        checkedGeneration = now.generation();
        return changed;
    }

    /** Whether the node changed since the draw was last chosen. */
    boolean isDrawOutdated(NodeState now) {
        boolean old = now.generation() != drawGeneration;
        drawGeneration = now.generation();
        return old;
    }

    /** The pod changed, and the draw depends on it. */
    void invalidateDraw() {
        drawGeneration = -1;
    }

    HoldId holdId() {
        return holdId(pod.uid());
    }

    static HoldId holdId(PodUid pod) {
        return new HoldId(PREFIX + pod.value());
    }

    Stage stage() {
        return stage;
    }

    void setStage(Stage next) {
        stage = next;
    }
}
