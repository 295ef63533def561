package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.ledger.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which pods are in the {@link Checkpoint}, and at the start which of them were deleted while no Berth led. A
 * pod is in it from when it is bound until its place is written down, or until it is known to leave none.
 */
final class CheckpointedPods {
    /** A Deployment's annotation may concern pods that were seen before: looking at all pods is not for every change. */
    private static final Duration BETWEEN_SCANS = Duration.ofSeconds(5);

    private final Petitions petitions;
    private final ReturnRule rule;
    private final Departures departures;
    private final Checkpoint checkpoint;
    private final TakerEntries takerEntries;
    /** Pods whose end was told before everything was listed: what they leave is known without the checkpoint. */
    private final Set<PodUid> told = new HashSet<>();

    private boolean listed;
    private boolean replayed;
    private boolean changed;
    private Instant nextScan = Instant.MIN;
    /** The node from which the scan goes on. */
    private int scanFrom = Integer.MAX_VALUE;

    CheckpointedPods(
            Petitions petitions,
            ReturnRule rule,
            Departures departures,
            Checkpoint checkpoint,
            TakerEntries takerEntries) {
        this.petitions = petitions;
        this.rule = rule;
        this.departures = departures;
        this.checkpoint = checkpoint;
        this.takerEntries = takerEntries;
    }

    void deletionsReplayed() {
        replayed = true;
    }

    void petitionsChanged() {
        changed = true;
    }

    void gone(PodUid pod) {
        if (!listed) {
            told.add(pod);
        } else if (!departures.has(pod) && !takerEntries.has(pod)) {
            checkpoint.drop(pod);
        }
    }

    /** Pods that are gone may have taken places, of which only the checkpoint knows. */
    List<HoldId> takenPlaces(Takers takers, Desk desk) {
        List<HoldId> places = new ArrayList<>();
        for (CheckpointedPod entry : checkpoint.written()) {
            if (desk.ledger().pod(entry.uid()).isEmpty()) {
                Pod pod = entry.pod();
                takers.seen(pod, desk.ledger()).ifPresent(places::add);
            }
        }
        return places;
    }

    /** Everything was listed. Pods that the checkpoint has keep their parts, so they are looked at first. */
    void begin(Desk desk) {
        listed = true;
        for (CheckpointedPod entry : checkpoint.written()) {
            Optional<Pod> present = desk.ledger().pod(entry.uid());
            if (present.isPresent()) {
                update(present.get(), desk);
            } else if (!replayed && entry.leavesPlace() && !told.contains(entry.uid())) {
                missed(entry, desk);
            }
            if (present.isEmpty() && !departures.has(entry.uid())) {
                takerEntries.found(entry, desk);
            }
        }
        told.clear();
        changed = true;
    }

    /** A node that was replaced has no place for the pod. No place is kept if the Deployment that asked is gone or asks no more. */
    private void missed(CheckpointedPod pod, Desk desk) {
        boolean sameNode = desk.ledger()
                .node(pod.node())
                .map(NodeState::node)
                .filter(node -> pod.nodeUid().isEmpty() || node.uid().value().equals(pod.nodeUid()))
                .isPresent();
        if (sameNode && petitions.stillAsks(pod)) {
            departures.missed(pod.pod(), desk);
        }
    }

    void settle(Desk desk) {
        if (changed && !desk.now().isBefore(nextScan)) {
            changed = false;
            nextScan = desk.now().plus(BETWEEN_SCANS);
            scanFrom = 0;
        }
        scan(desk);
    }

    /** A cluster may have a hundred thousand pods: a turn looks at as many nodes as it has time for. */
    private void scan(Desk desk) {
        while (scanFrom < desk.ledger().slotBound()) {
            desk.ledger().nodeAt(scanFrom).ifPresent(node -> node.pods().forEach(pod -> update(pod, desk)));
            scanFrom++;
            if (desk.timeIsUp()) {
                return;
            }
        }
        scanFrom = Integer.MAX_VALUE;
    }

    /** The pod is there, and this is how it looks now. */
    void update(Pod pod, Desk desk) {
        Optional<CheckpointedPod> entry = entry(pod, desk);
        if (entry.isPresent()) {
            checkpoint.want(entry.get(), desk);
        } else {
            checkpoint.drop(pod.uid());
        }
    }

    private Optional<CheckpointedPod> entry(Pod pod, Desk desk) {
        boolean leavesPlace = rule.leavesPlace(pod, departures.has(pod.uid()), desk.now());
        if (!takerEntries.isWanted(pod, leavesPlace)) {
            return Optional.empty();
        }
        String nodeUid = pod.nodeName()
                .flatMap(desk.ledger()::node)
                .map(NodeState::node)
                .map(Node::uid)
                .map(uid -> uid.value())
                .orElse("");
        Pod known = Drawn.withUsedHold(pod, desk);
        return ReturnKey.of(pod)
                .map(key -> CheckpointedPod.of(
                        known, nodeUid, key, petitions.lifetime(pod), petitions.askersOf(pod), leavesPlace));
    }

    Optional<Instant> nextWake() {
        return changed && listed ? Optional.of(nextScan) : Optional.empty();
    }
}
