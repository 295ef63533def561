package dev.berth.core.decision;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.HostPorts;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.queue.Happening;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What all who decide share: the ledger, whoever finds places in it, the pods that wait, and what is to be written. Holds
 * come and go through it, so that those who wait for room hear of it.
 */
final class Office {
    private final Ledger ledger;
    private final Placer placer;
    private final SchedulingQueue queue;
    private final Set<String> schedulerNames;
    private final NamedBlockers blockers = new NamedBlockers();
    private final UnusableHolds unusableHolds;
    private final FalseRecords falseRecords;
    private final OvercommittedNodes overcommittedNodes;
    private final List<Effect> toWrite = new ArrayList<>();

    Office(Ledger ledger, Placer placer, SchedulingQueue queue, Set<String> schedulerNames) {
        this.ledger = ledger;
        this.placer = placer;
        this.queue = queue;
        this.schedulerNames = Set.copyOf(schedulerNames);
        this.unusableHolds = new UnusableHolds(ledger, placer);
        this.falseRecords = new FalseRecords(ledger);
        this.overcommittedNodes = new OvercommittedNodes(ledger, schedulerNames);
    }

    Ledger ledger() {
        return ledger;
    }

    boolean serves(String schedulerName) {
        return schedulerNames.contains(schedulerName);
    }

    Placer placer() {
        return placer;
    }

    SchedulingQueue queue() {
        return queue;
    }

    NamedBlockers blockers() {
        return blockers;
    }

    /** Why no node takes the pod: what the nodes say, what doors can do about it, and what is wrong with its own holds. */
    String message(Pod pod, Placement.Refused refused, Help help) {
        List<UnusableHolds.Unusable> own = unusableHolds.of(pod);
        blockers.told(
                pod.uid(),
                refused,
                own.stream().map(UnusableHolds.Unusable::hold).toList());
        StringBuilder message = new StringBuilder(refused.summary()).append(help.words());
        own.forEach(it -> message.append(' ').append(it.sentence()));
        return message.toString();
    }

    UnusableHolds unusableHolds() {
        return unusableHolds;
    }

    FalseRecords falseRecords() {
        return falseRecords;
    }

    /** Everything was listed: reports the records that are not believed. */
    void reportFalseRecords() {
        falseRecords.settle(toWrite);
    }

    OvercommittedNodes overcommittedNodes() {
        return overcommittedNodes;
    }

    void write(Effect effect) {
        toWrite.add(effect);
    }

    /** What is to be written since this was last asked. */
    List<Effect> takeEffects() {
        if (toWrite.isEmpty()) {
            return List.of();
        }
        List<Effect> taken = List.copyOf(toWrite);
        toWrite.clear();
        return taken;
    }

    /** A hold that moved gives its room free where it was. */
    void put(Hold hold, Instant now) {
        Optional<Hold> before = ledger.hold(hold.id());
        ledger.put(hold);
        changed(before, hold, now);
    }

    /**
     * Puts the hold in place of another one, unless the room for it is used or kept otherwise. Tried in the ledger itself:
     * what a hold keeps depends on what it draws, and that on other holds. A failed try notifies no door.
     */
    boolean putIfRoom(Hold hold, HoldId replaced, Instant now) {
        Optional<Hold> before = ledger.hold(hold.id());
        Optional<Hold> other = replaced.equals(hold.id()) ? Optional.empty() : ledger.hold(replaced);
        Resources free = ledger.node(hold.node()).map(NodeState::free).orElse(Resources.NONE);
        other.ifPresent(it -> ledger.removeHold(it.id()));
        ledger.put(hold);
        List<HostPort> portsBefore = Stream.of(before, other)
                .flatMap(Optional::stream)
                .flatMap(it -> it.ports().stream())
                .toList();
        if (isShorter(hold, free) || isPortTaken(hold, portsBefore)) {
            before.ifPresentOrElse(ledger::put, () -> ledger.removeHold(hold.id()));
            other.ifPresent(ledger::put);
            return false;
        }
        other.ifPresent(it -> removed(it, now));
        changed(before, hold, now);
        return true;
    }

    /** Whether the node has less of a resource than before, and less than nothing. */
    private boolean isShorter(Hold hold, Resources before) {
        Resources free = ledger.node(hold.node()).map(NodeState::free).orElse(Resources.NONE);
        for (int i = 0; i < free.size(); i++) {
            if (free.amountAt(i) < 0 && free.amountAt(i) < before.get(free.nameAt(i))) {
                return true;
            }
        }
        return false;
    }

    private boolean isPortTaken(Hold hold, List<HostPort> before) {
        Set<HostPort> kept = Set.copyOf(before);
        List<HostPort> added =
                hold.ports().stream().filter(port -> !kept.contains(port)).toList();
        return !added.isEmpty() && HostPorts.conflict(added, ledger.portsWith(hold));
    }

    private void changed(Optional<Hold> before, Hold hold, Instant now) {
        falseRecords.holdSeen(hold.id());
        before.filter(known -> !known.node().equals(hold.node())).ifPresent(known -> holdChanged(known, now));
        before.filter(known ->
                        !known.rule().equals(hold.rule()) || !known.closure().equals(hold.closure()))
                .ifPresent(known -> blockers.outdated(known, now));
        holdChanged(hold, now);
    }

    void remove(HoldId id, Instant now) {
        ledger.removeHold(id).ifPresent(hold -> removed(hold, now));
    }

    /** The hold is no longer in the ledger. */
    void removed(Hold hold, Instant now) {
        holdChanged(hold, now);
        blockers.outdated(hold, now);
    }

    void holdChanged(Hold hold, Instant now) {
        queue.happened(new Happening.HoldChanged(hold, ledger.node(hold.node())), now);
    }

    void roomFreed(String node, Pod pod, Instant now) {
        ledger.node(node).ifPresent(state -> queue.happened(new Happening.PodLeft(state, pod), now));
        if (!pod.volumes().claims().isEmpty()) {
            // A claim that only one pod may use is free on every node once it is free.
            queue.happened(new Happening.ClaimsFreed(pod), now);
        }
    }

    /** Why the node does not take the pod as things are; empty where there is no such node. */
    Optional<List<Veto>> vetoes(Pod pod, String node, HoldUse use) {
        return ledger.node(node).map(state -> placer.vetoes(pod, state, use));
    }
}
