package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.door.comeback.Departure.Place;
import dev.berth.core.door.comeback.PlaceId.PodKey;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.ledger.NodeState;
import java.time.Duration;
import java.util.Optional;

/** What a pod leaves behind when it goes: its place, the name of the reservation to be, and for how long; or why nothing. */
final class LeftPlaces {
    private static final int LONGEST_NAME = 253;
    private static final int MARK = 8;

    private final Petitions petitions;
    private final ReturnRule rule;
    private final Takers takers;
    private final Kept kept;

    LeftPlaces(Petitions petitions, ReturnRule rule, Takers takers, Kept kept) {
        this.petitions = petitions;
        this.rule = rule;
        this.takers = takers;
        this.kept = kept;
    }

    /**
     * What the pod leaves behind; empty when it did not ask, or when its place is written down or was taken already.
     *
     * @param names the names that are promised
     */
    Optional<Place> of(Pod pod, DepartureIndex names, Desk desk) {
        if (!mayReturn(pod, desk) || reason(pod, desk).isPresent()) {
            return Optional.empty();
        }
        ReturnKey key = ReturnKey.of(pod).orElseThrow();
        Node node = nodeOf(pod, desk).orElseThrow();
        boolean outlives = outlives(pod.uid(), desk);
        Duration lifetime = outlives ? petitions.remaining(pod, desk.now()) : petitions.lifetime(pod);
        String name = nameFor(pod, names, desk);
        Hold hold = Places.leaving(pod, name, node.uid(), Drawn.of(pod, node, desk));
        boolean taken = takers.of(hold.id(), node.name(), key).isPresent();
        return (taken && !outlives) || lifetime.isZero()
                ? Optional.empty()
                : Optional.of(new Place(name, hold, key, node.name(), lifetime));
    }

    /** In words, why the pod leaves nothing although it asked and a successor may come; empty otherwise. */
    Optional<String> refusal(Pod pod, Desk desk) {
        return mayReturn(pod, desk) ? reason(pod, desk) : Optional.empty();
    }

    /** Whether the pod asked, has a key and a node, and a successor may come. */
    private boolean mayReturn(Pod pod, Desk desk) {
        return petitions.asks(pod)
                && ReturnKey.of(pod).isPresent()
                && nodeOf(pod, desk).isPresent()
                && !StatefulSets.isDeleted(pod, desk.ledger())
                && !kept.knowsPod(new PodKey(pod.namespace(), pod.uid()));
    }

    private Optional<String> reason(Pod pod, Desk desk) {
        return rule.preemption(pod, desk)
                .or(() -> Drawn.refusal(pod, desk))
                .or(() -> nodeOf(pod, desk).flatMap(node -> Places.exceeds(pod, node)));
    }

    private static Optional<Node> nodeOf(Pod pod, Desk desk) {
        return pod.nodeName().flatMap(desk.ledger()::node).map(NodeState::node);
    }

    /**
     * Whether finalizers keep the pod that finished. A process that starts after the taker of its place went would keep the
     * place again: that it was taken is written down on a reservation, although no pod needs the place.
     */
    static boolean outlives(PodUid pod, Desk desk) {
        return desk.ledger().pod(pod).filter(it -> it.phase().terminal()).isPresent();
    }

    /** The pod's own name, unless another pod of this name left a place that is still kept: neither is lost. */
    String nameFor(Pod pod, DepartureIndex names, Desk desk) {
        String fullName = Placeholder.fullName(pod.namespace(), pod.name());
        boolean used = kept.stays(fullName, desk).filter(stays -> stays).isPresent();
        if (!names.isPromised(fullName, pod.uid()) && !used) {
            return pod.name();
        }
        String uid = pod.uid().value();
        String mark = "-" + uid.substring(0, Math.min(uid.length(), MARK));
        int room = LONGEST_NAME - mark.length();
        return pod.name().substring(0, Math.min(pod.name().length(), room)) + mark;
    }
}
