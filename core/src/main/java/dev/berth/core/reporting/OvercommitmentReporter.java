package dev.berth.core.reporting;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.ChangedSlots;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.NodeState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reports nodes that have fewer resources than pods use and holds need: by an event on the node, and on some of the
 * objects whose holds are affected. A node is reported when it becomes over-committed, and again only if it was not
 * over-committed in between. Reads only changed nodes. Remembers nothing across a restart: the next leader reports once
 * more.
 */
public final class OvercommitmentReporter {
    private static final Effect.RecordEvent.EventTemplate KIND =
            Effect.RecordEvent.EventTemplate.warning(OvercommitmentMessage.REASON, "Reserving");
    /** A node may have thousands of holds: their events would displace all other events. */
    private static final int MAX_OBJECTS = 10;

    private final Ledger ledger;
    private final OvercommitmentMessage message;
    /** By slot. A slot may have a different node by now. */
    private final Map<Integer, NodeUid> reported = new HashMap<>();

    private final ChangedSlots changed = new ChangedSlots();

    /** @param schedulerNames the schedulers that Berth serves */
    public OvercommitmentReporter(Ledger ledger, Set<String> schedulerNames) {
        this.ledger = ledger;
        this.message = new OvercommitmentMessage(schedulerNames);
    }

    /**
     * All objects are listed, and the doors have put their holds.
     *
     * @param targetOf returns the object for events about a hold; empty if the door reports by itself
     * @return whether some node became over-committed or is no longer so: then doors that report by themselves
     * reconcile again
     */
    public boolean reportChanges(Function<Hold, Optional<EventTarget>> targetOf, Consumer<Effect> effects) {
        Map<Integer, NodeUid> before = Map.copyOf(reported);
        Set<Integer> slots = changed.drain(ledger);
        for (int slot : slots) {
            checkNode(slot, targetOf, effects);
        }
        return !before.equals(reported);
    }

    private void checkNode(int slot, Function<Hold, Optional<EventTarget>> targetOf, Consumer<Effect> effects) {
        Optional<NodeState> overcommitted = ledger.nodeAt(slot)
                .filter(node ->
                        OvercommitmentMessage.affected(node, ledger).findAny().isPresent());
        if (overcommitted.isEmpty()) {
            reported.remove(slot);
            return;
        }
        NodeState node = overcommitted.get();
        if (!node.node().uid().equals(reported.put(slot, node.node().uid()))) {
            message.about(node, ledger)
                    .ifPresent(note -> effects.accept(event(
                            EventTarget.ofNode(node.node().uid(), node.node().name()), note)));
            reportOnObjects(node, targetOf, effects);
        }
    }

    private void reportOnObjects(
            NodeState node, Function<Hold, Optional<EventTarget>> targetOf, Consumer<Effect> effects) {
        Map<EventTarget, List<HoldState>> bySubject = new LinkedHashMap<>();
        OvercommitmentMessage.affected(node, ledger)
                .forEach(hold -> targetOf.apply(hold.hold())
                        .filter(eventTarget -> bySubject.containsKey(eventTarget) || bySubject.size() < MAX_OBJECTS)
                        .ifPresent(subject -> bySubject
                                .computeIfAbsent(subject, same -> new ArrayList<>())
                                .add(hold)));
        bySubject.forEach((subject, holds) ->
                message.about(holds, node, ledger).ifPresent(note -> effects.accept(event(subject, note))));
    }

    /** The event was not written: the node is reported at its next change if it is still over-committed. */
    public void onEventDropped(Effect.RecordEvent event) {
        if (event.kind().equals(KIND)) {
            reported.values().remove(new NodeUid(event.target().uid()));
        }
    }

    private static Effect event(EventTarget eventTarget, String note) {
        return new Effect.RecordEvent(eventTarget, KIND, note);
    }
}
