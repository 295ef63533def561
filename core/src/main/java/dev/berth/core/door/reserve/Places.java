package dev.berth.core.door.reserve;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.door.reserve.ReserveRequest.Seat;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Owner;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The holds that stand for places in the ledger. A pod has one on each node where something is kept for it: mostly on one
 * node; on two while it is about to move, for the old place is let go only when the new one is promised. A place belongs
 * to the scheduler that reserved it: what another scheduler reserves for the same pod is another hold.
 */
final class Places {
    private final Map<HoldId, PodUid> pods = new HashMap<>();
    private final Map<PodUid, TreeSet<HoldId>> kept = new HashMap<>();
    private final EndingPlaces ending = new EndingPlaces();

    static HoldId id(Place place, String scheduler) {
        return id(place.pod().uid(), place.node().name(), scheduler);
    }

    private static HoldId id(PodUid pod, String node, String scheduler) {
        return new HoldId("reserve/" + escaped(pod.value()) + "/" + escaped(node) + "/" + scheduler);
    }

    /** Callers write UIDs and names as they like. With a slash in them, two places would be one hold. */
    private static String escaped(String part) {
        return part.indexOf('/') < 0 && part.indexOf('%') < 0
                ? part
                : part.replace("%", "%25").replace("/", "%2F");
    }

    Optional<PodUid> podOf(HoldId hold) {
        return Optional.ofNullable(pods.get(hold));
    }

    /** What the scheduler of this name has reserved for this pod on this node. */
    static Optional<Hold> of(Seat seat, String scheduler, LedgerView ledger) {
        return ledger.hold(id(seat.pod().uid(), seat.node(), scheduler));
    }

    /** The places that have ended and are kept until their objects say so. */
    EndingPlaces ending() {
        return ending;
    }

    /** Brings the ledger to what the groups keep for the pod, and nothing else. */
    void keep(PodUid pod, List<Group> groups, Desk desk) {
        Map<HoldId, Hold> wanted = new TreeMap<>();
        for (Group group : groups) {
            group.kept(pod).ifPresent(place -> {
                Hold hold = hold(place, group, desk.ledger());
                wanted.merge(hold.id(), hold, Places::together);
            });
        }
        for (HoldId id : kept.getOrDefault(pod, new TreeSet<>())) {
            if (!wanted.containsKey(id)) {
                pods.remove(id);
                desk.release(id);
                ending.released(id);
            }
        }
        if (wanted.isEmpty()) {
            kept.remove(pod);
        } else {
            kept.put(pod, new TreeSet<>(wanted.keySet()));
        }
        wanted.forEach((id, hold) -> {
            pods.put(id, pod);
            desk.hold(hold);
        });
        wanted.values().forEach(hold -> noteEnding(hold, pod, groups));
    }

    /** The room of a place that its pod uses is not released with the place. */
    private void noteEnding(Hold hold, PodUid pod, List<Group> groups) {
        Optional<Group> over = groups.stream()
                .filter(group -> hold.closed() && group.live(pod).isEmpty())
                .filter(group -> group.kept(pod)
                        .filter(place -> id(place, group.spec().scheduler()).equals(hold.id()))
                        .isPresent())
                .findFirst();
        over.ifPresentOrElse(
                group -> ending.add(
                        hold.id(), group.kept(pod).orElseThrow().node().name(), group.name()),
                () -> ending.released(hold.id()));
    }

    /**
     * No pod may use what is not written, nor what has ended. A pod that is bound to the node uses its place until the
     * object does not promise it any more, so that nothing is kept beside the pod, and all of it when the pod goes.
     */
    private static Hold hold(Place place, Group group, LedgerView ledger) {
        PodUid uid = place.pod().uid();
        HoldId id = id(place, group.spec().scheduler());
        Owner.PodMatch match = new Owner.PodMatch(Optional.of(uid.value()), Optional.empty(), Optional.empty());
        Owner owner = new Owner(Optional.of(match), Optional.empty(), Optional.empty());
        Origin origin = new Origin(
                Origin.Door.RESERVE,
                "Hold " + group.name() + " for pod " + place.pod() + " of scheduler "
                        + group.spec().scheduler());
        Optional<Pod> pod = ledger.pod(uid);
        Optional<HoldId> record = pod.flatMap(Claim::recordedOn);
        return Hold.builder(id, place.node().uid(), origin)
                .size(place.size())
                .ports(place.ports())
                .owners(List.of(owner))
                .listed(record.isEmpty() || record.get().equals(id) ? Set.of(uid) : Set.of())
                .closed(closure(place, group, pod))
                .once(true)
                .deadline(Optional.of(group.spec().deadline()))
                .build();
    }

    private static Optional<String> closure(Place place, Group group, Optional<Pod> pod) {
        if (!group.durable()) {
            return Optional.of("it is not written yet");
        }
        boolean used =
                pod.flatMap(Pod::nodeName).equals(Optional.of(place.node().name()));
        boolean over = group.live(place.pod().uid()).isEmpty() && !used;
        return over ? Optional.of("it is over") : Optional.empty();
    }

    /** What was promised stays promised while what comes after it is being written; neither is kept twice. */
    private static Hold together(Hold older, Hold newer) {
        if (!older.node().equals(newer.node())) {
            return newer;
        }
        TreeSet<HostPort> ports = new TreeSet<>(older.ports());
        ports.addAll(newer.ports());
        Resources size = older.size().max(newer.size());
        Instant later = newer.deadline().orElseThrow();
        Instant deadline = older.deadline().filter(later::isBefore).orElse(later);
        return newer.toBuilder()
                .size(size)
                .ports(List.copyOf(ports))
                .closed(older.closed() ? newer.closure() : Optional.empty())
                .deadline(Optional.of(deadline))
                .build();
    }
}
