package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Pod;
import dev.berth.core.door.comeback.ComebackWrite.Taker;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which pod took which place, by the record that its binding wrote. It is remembered after the pod is gone, as long as
 * the reservation is there: what was taken once is not given a second time.
 */
final class Takers {
    private final Map<String, Taker> takers = new HashMap<>();

    /** Without the reservation's name: told of the pod's going once more, the door may choose another one. */
    private static String identity(HoldId place) {
        String id = place.value();
        int namespace = id.indexOf('/', id.indexOf('/') + 1);
        return namespace < 0 ? id : id.substring(0, namespace) + id.substring(id.lastIndexOf('/'));
    }

    /**
     * The place that the pod says it took, if any: as the hold that it uses, or as one through which it came to the hold
     * that it uses. A record on a pod that is nowhere says nothing.
     */
    static Optional<HoldId> placeOf(Pod pod) {
        if (pod.nodeName().isEmpty()) {
            return Optional.empty();
        }
        return Stream.concat(Claim.recordedOn(pod).stream(), Claim.drawingHoldsOn(pod).stream())
                .filter(Placeholder::isOurs)
                .findFirst();
    }

    /** Of two that say the same, the first by UID is believed, whichever was heard of first. */
    void put(HoldId place, Pod pod) {
        put(
                place,
                new Taker(pod.namespace(), pod.name(), pod.uid(), pod.nodeName().orElse("")));
    }

    void put(HoldId place, Taker taker) {
        takers.merge(identity(place), taker, (known, other) -> other.uid().compareTo(known.uid()) < 0 ? other : known);
    }

    /** Who took the place on this node. A record on another node's pod is not one of ours. */
    Optional<Taker> of(HoldId place, String node) {
        return Optional.ofNullable(takers.get(identity(place)))
                .filter(taker -> taker.node().equals(node));
    }

    void forget(HoldId place) {
        takers.remove(identity(place));
    }
}
