package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.comeback.ComebackWrite.Taker;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.LedgerView;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which pod took which place. What this process assumed and saw bound is certain. The record on a pod that another
 * process bound, or that a tenant wrote, counts only for a pod that has the place's key. Takers are remembered after the
 * pod is gone, as long as the reservation is there: what was taken once is not given a second time.
 */
final class Takers {
    private final Map<String, TakerCandidates> candidates = new HashMap<>();
    /** Of each pod that is there, the places that its records named. */
    private final Map<PodUid, Set<HoldId>> places = new HashMap<>();

    /** Without the reservation's name: told of the pod's going once more, the door may choose another one. */
    private static String identity(HoldId place) {
        String id = place.value();
        int namespace = id.indexOf('/', id.indexOf('/') + 1);
        return namespace < 0 ? id : id.substring(0, namespace) + id.substring(id.lastIndexOf('/'));
    }

    /**
     * Takes in a pod; gives the place that it may have taken: as the hold that it uses, or as one through which it came to
     * the hold that it uses. A record on a pod that is nowhere says nothing.
     */
    Optional<HoldId> seen(Pod pod, LedgerView ledger) {
        if (pod.nodeName().isEmpty()) {
            return Optional.empty();
        }
        Optional<HoldId> assumed = ledger.confirmed(pod.uid()).flatMap(Takers::assumedPlace);
        Optional<HoldId> place = assumed.or(() -> placeOf(pod).map(PlaceId::holdId));
        place.ifPresent(id -> {
            TakerCandidates all = with(id, taker(pod));
            if (assumed.isPresent()) {
                all.assume(pod.uid());
            }
            ReturnKey.of(pod).ifPresent(key -> all.had(pod.uid(), key));
            places.computeIfAbsent(pod.uid(), uid -> new LinkedHashSet<>()).add(id);
        });
        return place;
    }

    /**
     * The place that the record of a bound pod names; its author can write it. No pod takes a place of another namespace, or
     * the place that it left itself.
     */
    static Optional<PlaceId> placeOf(Pod pod) {
        return pod.nodeName()
                .flatMap(node -> Claim.allRecordedIn(pod.annotations())
                        .flatMap(id -> PlaceId.parse(id).stream())
                        .filter(place -> place.namespace().equals(pod.namespace())
                                && !place.pod().equals(pod.uid()))
                        .findFirst());
    }

    private static Optional<HoldId> assumedPlace(Assumption assumption) {
        return Stream.concat(assumption.hold().stream(), Claim.allRecordedIn(assumption.record()))
                .filter(PlaceId::isPlace)
                .findFirst();
    }

    /** Whether a pod was placed there whose bind is under way, also if the hold itself is over since. */
    static boolean isBinding(HoldId place, String node, LedgerView ledger) {
        return ledger.node(node).stream()
                .flatMap(state -> state.pods().stream())
                .filter(pod -> pod.nodeName().isEmpty())
                .flatMap(pod -> ledger.assumption(pod.uid()).stream())
                .anyMatch(assumption -> assumedPlace(assumption).equals(Optional.of(place)));
    }

    private static Taker taker(Pod pod) {
        return new Taker(pod.namespace(), pod.name(), pod.uid(), pod.nodeName().orElse(""));
    }

    /** A reservation says that the pod which left it had taken the place, and had this key. */
    void put(HoldId place, Taker taker, ReturnKey key) {
        with(place, taker).had(taker.uid(), key);
    }

    private TakerCandidates with(HoldId place, Taker taker) {
        TakerCandidates all = candidates.computeIfAbsent(identity(place), same -> new TakerCandidates());
        all.add(taker);
        return all;
    }

    /** The pod is gone; gives the places that it may have taken. */
    Set<HoldId> gone(PodUid pod) {
        return Optional.ofNullable(places.remove(pod)).orElse(Set.of());
    }

    /** The places that earlier records of the pod named. Its author can edit the record again and again. */
    List<HoldId> formerPlaces(PodUid pod, Optional<HoldId> now) {
        @Nullable Set<HoldId> all = places.get(pod);
        return all == null || (all.size() == 1 && now.filter(all::contains).isPresent())
                ? List.of()
                : all.stream().filter(place -> !now.equals(Optional.of(place))).toList();
    }

    /** Nothing speaks for the place: that the pod may have taken it says nothing. */
    void forget(PodUid pod, HoldId place) {
        places.computeIfPresent(pod, (same, all) -> {
            all.remove(place);
            return all.isEmpty() ? null : all;
        });
        candidates.computeIfPresent(identity(place), (same, pods) -> {
            pods.remove(pod);
            return pods.isEmpty() ? null : pods;
        });
    }

    /** How many places and pods it remembers. */
    int size() {
        return candidates.size() + places.size();
    }

    /**
     * Who took the place of this key on this node. A record on another node's pod is not one of ours. Of two the one
     * that was assumed is believed, else the first by UID, whichever was heard of first.
     */
    Optional<Taker> of(HoldId place, String node, ReturnKey key) {
        return Optional.ofNullable(candidates.get(identity(place))).flatMap(all -> all.best(node, key));
    }

    void forget(HoldId place) {
        candidates.remove(identity(place));
    }
}
