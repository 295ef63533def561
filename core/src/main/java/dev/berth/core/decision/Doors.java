package dev.berth.core.decision;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.queue.Wake;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The doors that are open, in the order of their names, each at its desk. Who listens to what is known once for all: a
 * pod that comes and goes costs nothing for doors that do not listen.
 */
final class Doors {
    private final Office office;
    private final Map<Origin.Door, DoorDesk> desks = new EnumMap<>(Origin.Door.class);
    private final List<Listener<Door.HearsPods>> hearingPods;
    private final List<Listener<Door.HearsNodes>> hearingNodes;
    private final List<Listener<Door.Grants>> granting;
    private final List<Listener<Door.Helps>> helping;
    private final List<Listener<Door.HoldsBack>> holdingBack;
    private boolean unsettled = true;
    private int firstToSettle;

    private record Listener<D extends Door>(D door, DoorDesk desk) {}

    Doors(List<? extends Door> open, Office office, Seekers seekers, HeldBack heldBack) {
        this.office = office;
        for (Door door : open) {
            if (desks.put(door.name(), new DoorDesk(door, office, seekers, heldBack)) != null) {
                throw new IllegalArgumentException("door (%s) is given twice".formatted(door.name()));
            }
        }
        this.hearingPods = listeners(Door.HearsPods.class);
        this.hearingNodes = listeners(Door.HearsNodes.class);
        this.granting = listeners(Door.Grants.class);
        this.helping = listeners(Door.Helps.class);
        this.holdingBack = listeners(Door.HoldsBack.class);
    }

    private <D extends Door> List<Listener<D>> listeners(Class<D> kind) {
        List<Listener<D>> listeners = new ArrayList<>();
        for (DoorDesk desk : desks.values()) {
            if (kind.isInstance(desk.door())) {
                listeners.add(new Listener<>(kind.cast(desk.door()), desk));
            }
        }
        return List.copyOf(listeners);
    }

    /** The desk of the door of this name, if it is open, for what it is told now. */
    Optional<DoorDesk> named(Origin.Door name, Instant now) {
        DoorDesk desk = desks.get(name);
        return desk == null ? Optional.empty() : Optional.of(desk.at(now));
    }

    /** Something changed that doors may have to write about. */
    void unsettle() {
        unsettled = true;
    }

    boolean unsettled() {
        return unsettled;
    }

    /**
     * Lets the doors write, beginning behind the one that was cut short, so that none waits for ever behind another.
     *
     * @return whether all of it was done
     */
    boolean settle(Instant now, Pace pace) {
        if (!unsettled && nextWake().filter(wake -> !wake.isAfter(now)).isEmpty()) {
            return true;
        }
        office.ledger().takeClaimChanges().forEach(hold -> claimsChanged(hold, now));
        office.reportFalseRecords();
        unsettled = false;
        if (!settleEach(now, pace)) {
            return false;
        }
        if (!settleLast(now, pace)) {
            unsettled = true;
            return false;
        }
        boolean again = unsettled;
        // A hold that was put last may change what holds of other doors draw: no pod is decided on before they know.
        if (again && !settleEach(now, pace)) {
            return false;
        }
        // Last: a door may still have to put or release a hold for what it heard.
        unsettled |= office.overcommittedNodes()
                .settle(hold -> of(hold, now).flatMap(desk -> desk.door().subject(hold.id())), office::write);
        return true;
    }

    private boolean settleEach(Instant now, Pace pace) {
        List<DoorDesk> all = List.copyOf(desks.values());
        for (int i = 0; i < all.size(); i++) {
            boolean done = all.get((firstToSettle + i) % all.size()).settle(now, pace);
            if (!done) {
                firstToSettle = (firstToSettle + i + 1) % all.size();
                unsettled = true;
                return false;
            }
        }
        return true;
    }

    private boolean settleLast(Instant now, Pace pace) {
        boolean done = true;
        for (DoorDesk desk : desks.values()) {
            done &= desk.settleLast(now, pace, this::unsettle);
        }
        return done;
    }

    void podSeen(Optional<Pod> before, Pod pod, Instant now) {
        boolean plain = pod.plain() && (before.isEmpty() || before.get().plain());
        for (Listener<Door.HearsPods> listener : hearingPods) {
            if (!plain || !listener.door.indifferent()) {
                listener.door.podSeen(before, pod, listener.desk.at(now));
            }
        }
    }

    void podGone(Pod pod, Instant now) {
        for (Listener<Door.HearsPods> listener : hearingPods) {
            if (!pod.plain() || !listener.door.indifferent()) {
                listener.door.podGone(pod, listener.desk.at(now));
            }
        }
    }

    void workloadSeen(Workload workload, Instant now) {
        desks.values().forEach(desk -> desk.door().workloadSeen(workload, desk.at(now)));
    }

    void workloadGone(Workload.Key key, Instant now) {
        desks.values().forEach(desk -> desk.door().workloadGone(key, desk.at(now)));
    }

    void deletionsReplayed() {
        desks.values().forEach(desk -> desk.door().deletionsReplayed());
    }

    void nodeSeen(Node node, Instant now) {
        for (Listener<Door.HearsNodes> listener : hearingNodes) {
            listener.door.nodeSeen(node, listener.desk.at(now));
        }
    }

    void nodeGone(Node node, Instant now) {
        for (Listener<Door.HearsNodes> listener : hearingNodes) {
            listener.door.nodeGone(node, listener.desk.at(now));
        }
    }

    /** What the doors do for a pod that no node takes; what they say begins with a blank. */
    Help unplaced(Pod pod, Placement.Refused refused, Instant now) {
        return together(listener -> listener.door.unplaced(pod, refused, listener.desk.at(now)));
    }

    /** What the doors could do about the node, were the pod refused now. */
    Help helpOn(NodeState node, Pod pod) {
        return together(listener -> listener.door.helpOn(node, pod, listener.desk));
    }

    private Help together(Function<Listener<Door.Helps>, Help> question) {
        boolean now = false;
        StringBuilder words = new StringBuilder();
        EnumSet<Hint> later = EnumSet.noneOf(Hint.class);
        for (Listener<Door.Helps> listener : helping) {
            Help help = question.apply(listener);
            now |= help.now();
            later.addAll(help.later());
            if (!help.words().isEmpty()) {
                words.append(' ').append(help.words());
            }
        }
        return new Help(now, words.toString(), later);
    }

    /** What the doors together give the pod at its place. */
    Map<String, String> grant(Pod pod, Placement.Placed placed, Instant now) {
        Map<String, String> granted = Map.of();
        for (Listener<Door.Grants> listener : granting) {
            Map<String, String> more = listener.door.grant(pod, placed, listener.desk.at(now));
            if (!more.isEmpty()) {
                granted = new TreeMap<>(granted);
                granted.putAll(more);
            }
        }
        return granted;
    }

    /** Whether some door has something to do before the pod is bound. */
    boolean holdBack(Pod pod, Placement.Placed placed, Instant now) {
        boolean held = false;
        for (Listener<Door.HoldsBack> listener : holdingBack) {
            held |= listener.door.holdsBack(pod, placed, listener.desk.at(now));
        }
        unsettled |= held;
        return held;
    }

    /** The pod's place is taken away while its bind is held back. */
    void interrupted(PodUid pod, Instant now) {
        for (Listener<Door.HoldsBack> listener : holdingBack) {
            listener.door.interrupted(pod, listener.desk.at(now));
        }
    }

    void claimsChanged(Optional<Claim> claim, Instant now) {
        if (claim.isPresent()) {
            claimsChanged(claim.get().hold(), now);
        }
    }

    void claimsChanged(HoldId id, Instant now) {
        unsettle();
        office.ledger()
                .hold(id)
                .flatMap(hold -> of(hold, now))
                .ifPresent(desk -> desk.door().claimsChanged(id, desk));
    }

    void ended(Hold hold, Door.End why, Instant now) {
        unsettle();
        of(hold, now).ifPresent(desk -> desk.door().ended(hold, why, desk));
    }

    private Optional<DoorDesk> of(Hold hold, Instant now) {
        return named(hold.origin().door(), now);
    }

    Set<PodUid> owed() {
        Set<PodUid> owed = new TreeSet<>();
        desks.values().forEach(desk -> owed.addAll(desk.door().owed()));
        return owed;
    }

    int retrying() {
        int all = 0;
        for (DoorDesk desk : desks.values()) {
            all += desk.door().retrying();
        }
        return all;
    }

    int invalid() {
        int all = 0;
        for (DoorDesk desk : desks.values()) {
            all += desk.door().invalid();
        }
        return all;
    }

    Optional<Instant> nextWake() {
        Optional<Instant> next = Optional.empty();
        for (DoorDesk desk : desks.values()) {
            next = Wake.earlier(next, desk.door().nextWake());
        }
        return next;
    }
}
