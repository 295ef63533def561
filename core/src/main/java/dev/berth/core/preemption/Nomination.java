package dev.berth.core.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect.PodRef;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A node that is cleared for a pod. */
final class Nomination {
    static final String PREFIX = "preemption/";

    /** How far it is. */
    enum Stage {
        /** Nobody is sent away before the API server knows what for. */
        UNWRITTEN,
        WRITTEN,
        /** The watch has shown it: what it shows from now on is what somebody made of it. */
        SHOWN
    }

    private final Pod pod;
    private final String node;
    private Set<PodUid> victims;
    private Stage stage;
    private long checkedGeneration = -1;
    private long drawGeneration = -1;

    Nomination(Pod pod, String node, Set<PodUid> victims, Stage stage) {
        this.pod = pod;
        this.node = node;
        this.victims = Set.copyOf(victims);
        this.stage = stage;
    }

    Pod pod() {
        return pod;
    }

    PodRef ref() {
        return PodRef.of(pod);
    }

    String node() {
        return node;
    }

    Set<PodUid> victims() {
        return victims;
    }

    /**
     * Lets those stay who need not go any more.
     *
     * @return whether there were any
     */
    boolean removeVictims(Predicate<PodUid> who) {
        Set<PodUid> rest = victims.stream().filter(who.negate()).collect(Collectors.toUnmodifiableSet());
        boolean fewer = rest.size() < victims.size();
        victims = rest;
        return fewer;
    }

    /** Whether the victim is still in the way. */
    boolean awaitsVictim(PodUid victim, LedgerView ledger) {
        return ledger.nodeNameOf(victim).filter(node::equals).isPresent();
    }

    boolean areVictimsGone(LedgerView ledger) {
        return victims.stream().noneMatch(victim -> awaitsVictim(victim, ledger));
    }

    /** Whether anything about its node has changed since this was last asked. */
    boolean nodeChanged(NodeState now) {
        boolean changed = now.generation() != checkedGeneration;
        checkedGeneration = now.generation();
        return changed;
    }

    /** Whether anything about its node has changed since its draw was last looked at. */
    boolean isDrawOutdated(NodeState now) {
        boolean old = now.generation() != drawGeneration;
        drawGeneration = now.generation();
        return old;
    }

    /** What it draws depends on the pod, which has changed. */
    void invalidateDraw() {
        drawGeneration = -1;
    }

    HoldId holdId() {
        return new HoldId(PREFIX + pod.uid().value());
    }

    Stage stage() {
        return stage;
    }

    void setStage(Stage next) {
        stage = next;
    }
}
