package dev.berth.core.decision;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.PodNews;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.Placer;
import dev.berth.core.queue.Happening;
import dev.berth.core.queue.Remedy;
import dev.berth.core.queue.SchedulingQueue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Keeps the ledger by the facts it is told and decides which pod goes where. Pure: it has neither clock nor thread, and
 * what must be written comes back as {@link Effect}s. A placed pod is assumed at once; the watch's echo confirms it, and
 * an answer other than done takes it back ({@link #notBound}).
 */
public final class Decider {
    private final Ledger ledger;
    private final Placer placer;
    private final SchedulingQueue queue;
    private final Set<String> schedulerNames;
    private final Telling telling = new Telling();

    public Decider(Ledger ledger, Placer placer, SchedulingQueue queue, Set<String> schedulerNames) {
        this.ledger = ledger;
        this.placer = placer;
        this.queue = queue;
        this.schedulerNames = Set.copyOf(schedulerNames);
    }

    public Ledger ledger() {
        return ledger;
    }

    public SchedulingQueue queue() {
        return queue;
    }

    /** Takes in what the API server shows. */
    public void learn(Fact fact, Instant now) {
        if (fact instanceof Fact.PodSeen seen) {
            podSeen(seen.pod(), now);
        } else if (fact instanceof Fact.PodGone gone) {
            podGone(gone.uid(), now);
        } else if (fact instanceof Fact.NodeSeen seen) {
            nodeSeen(seen.node(), now);
        } else if (fact instanceof Fact.NodeGone gone) {
            ledger.removeNode(gone.uid()).forEach(ended -> holdChanged(ended, now));
        } else if (fact instanceof Fact.WorkloadSeen seen) {
            ledger.put(seen.workload());
        } else if (fact instanceof Fact.WorkloadGone gone) {
            ledger.remove(gone.key());
        } else if (fact instanceof Fact.HoldSeen seen) {
            holdSeen(seen.hold(), now);
        } else if (fact instanceof Fact.HoldGone gone) {
            holdGone(gone.id(), now);
        }
    }

    /** Lets time pass: back-offs end, and holds reach their deadline. */
    public void advance(Instant now) {
        for (Hold hold : ledger.expiredAt(now)) {
            holdGone(hold.id(), now);
        }
        queue.advance(now);
    }

    /** When {@link #advance} will next have something to do. */
    public Optional<Instant> nextWake() {
        return Stream.of(queue.nextWake(), ledger.nextDeadline())
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    /**
     * Decides on the most urgent pod.
     *
     * @return what to write for it, or empty when no pod is waiting to be decided on
     */
    public Optional<List<Effect>> next(Instant now) {
        return queue.take()
                .map(uid -> ledger.pod(uid).map(pod -> decide(pod, now)).orElseGet(() -> {
                    queue.remove(uid);
                    return List.of();
                }));
    }

    /** The bind is written. */
    public List<Effect> bound(Effect.Bind bind) {
        telling.forget(bind.pod().uid());
        return List.of(new Effect.Announce(
                bind.pod(),
                Effect.Announce.Kind.SCHEDULED,
                "Successfully assigned %s to %s".formatted(bind.pod(), bind.node())));
    }

    /**
     * The bind came to nothing: its room is free again and the pod is decided on anew after its back-off.
     *
     * @param why what to tell the pod's author, or empty where it is nobody's fault: a conflict resolves itself
     */
    public List<Effect> notBound(Effect.Bind bind, Optional<String> why, Instant now) {
        PodUid uid = bind.pod().uid();
        Optional<Pod> pod = ledger.pod(uid);
        ledger.forget(uid);
        queue.failed(uid, now);
        pod.ifPresent(left -> roomFreed(bind.node(), left, now));
        return pod.isPresent() && why.isPresent()
                ? telling.tell(pod.get(), Effect.MarkUnscheduled.Reason.SCHEDULER_ERROR, why.get(), now)
                : List.of();
    }

    /** What was to be told did not reach anybody and is not tried again: it is told anew when it is still true then. */
    public void untold(Effect effect) {
        if (effect instanceof Effect.MarkUnscheduled mark) {
            telling.untold(mark.pod().uid(), mark.message());
        } else if (effect instanceof Effect.Announce announcement) {
            telling.untold(announcement.pod().uid(), announcement.note());
        }
    }

    /** Whether the pod is there and neither bound nor assumed anywhere. */
    public boolean isUnplaced(PodUid uid) {
        return ledger.pod(uid).isPresent() && nodeOf(uid).isEmpty();
    }

    /** Nothing was sent: the decision is taken back as if it had not been made. */
    public void withdraw(Effect.Bind bind, Instant now) {
        Optional<Pod> pod = ledger.pod(bind.pod().uid());
        ledger.forget(bind.pod().uid());
        queue.giveBack(bind.pod().uid());
        pod.ifPresent(left -> roomFreed(bind.node(), left, now));
    }

    private List<Effect> decide(Pod pod, Instant now) {
        Placement placement = placer.place(pod);
        if (placement instanceof Placement.Placed placed) {
            ledger.assume(pod.uid(), placed.nodeUid(), placed.hold());
            return List.of(new Effect.Bind(Effect.PodRef.of(pod), placed.nodeName(), record(placed)));
        }
        Placement.Refused refused = (Placement.Refused) placement;
        queue.refused(pod.uid(), remedy(pod.uid(), refused), now);
        return telling.tell(pod, Effect.MarkUnscheduled.Reason.UNSCHEDULABLE, refused.summary(), now);
    }

    /** The pod is asked for when something happened: it may have changed since it was refused. */
    private Remedy remedy(PodUid uid, Placement.Refused refused) {
        return new RefusalRemedy(
                refused.hints(),
                node -> ledger.pod(uid)
                        .map(pod -> placer.vetoes(pod, node, HoldUse.PREFERRED))
                        .orElse(List.of()));
    }

    private static Map<String, String> record(Placement.Placed placed) {
        return placed.hold().map(id -> Map.of(Claim.ANNOTATION, id.value())).orElse(Map.of());
    }

    private void nodeSeen(Node node, Instant now) {
        Optional<NodeState> before = ledger.node(node.name());
        ledger.put(node).forEach(ended -> holdChanged(ended, now));
        ledger.node(node.name())
                .filter(after -> before.filter(it -> it.generation() == after.generation())
                        .isEmpty())
                .ifPresent(after -> queue.happened(new Happening.NodeChanged(before, after), now));
    }

    private void podSeen(Pod pod, Instant now) {
        Optional<Pod> before = ledger.pod(pod.uid());
        Optional<String> wasOn = nodeOf(pod.uid());
        Optional<Claim> claimed = ledger.claimBy(pod.uid());
        PodNews news = ledger.put(pod);
        if (news == PodNews.STALE || news == PodNews.SAME) {
            return;
        }
        if (oursToPlace(pod)) {
            queue.offer(pod, now);
            if (before.isPresent() && !sameToPlacement(before.get(), pod)) {
                queue.reconsider(pod.uid(), now);
            }
        } else {
            queue.remove(pod.uid());
            telling.forget(pod.uid());
        }
        moved(before.orElse(pod), pod, wasOn, now);
        claimSeen(claimed, ledger.claimBy(pod.uid()), now);
    }

    /** Labels and annotations too: they decide which holds the pod may use. */
    private static boolean sameToPlacement(Pod before, Pod after) {
        return before.shape().equals(after.shape())
                && before.labels().equals(after.labels())
                && before.annotations().equals(after.annotations());
    }

    /** Tells the queue what the news means to others: room came free, or somebody took a place. */
    private void moved(Pod before, Pod pod, Optional<String> wasOn, Instant now) {
        Optional<String> isOn = nodeOf(pod.uid());
        boolean needsOther = !before.shape().requests().equals(pod.shape().requests());
        if (wasOn.isPresent() && (needsOther || !wasOn.equals(isOn))) {
            roomFreed(wasOn.get(), before, now);
        }
        if (!isOn.equals(wasOn)) {
            isOn.flatMap(ledger::node).ifPresent(node -> queue.happened(new Happening.PodArrived(node, pod), now));
        }
    }

    private void podGone(PodUid uid, Instant now) {
        Optional<String> wasOn = nodeOf(uid);
        Optional<Pod> pod = ledger.removePod(uid);
        queue.remove(uid);
        telling.forget(uid);
        if (pod.isPresent() && wasOn.isPresent()) {
            roomFreed(wasOn.get(), pod.get(), now);
        }
    }

    /** Where the pod takes room, bound or assumed. */
    private Optional<String> nodeOf(PodUid uid) {
        return ledger.pod(uid)
                .filter(pod -> !pod.phase().terminal())
                .flatMap(pod -> pod.nodeName().or(() -> ledger.assumption(uid).map(Assumption::nodeName)));
    }

    private void holdGone(HoldId id, Instant now) {
        ledger.removeHold(id).ifPresent(hold -> holdChanged(hold, now));
    }

    /** A hold for once gives its remainder back when its claim is confirmed, and all of it when the claim is gone. */
    private void claimSeen(Optional<Claim> before, Optional<Claim> after, Instant now) {
        if (!before.equals(after)) {
            Stream.of(before, after)
                    .flatMap(Optional::stream)
                    .map(Claim::hold)
                    .distinct()
                    .flatMap(id -> ledger.hold(id).stream())
                    .forEach(hold -> holdChanged(hold, now));
        }
    }

    /** A hold that moved gives its room free where it was. */
    private void holdSeen(Hold hold, Instant now) {
        Optional<Hold> before = ledger.hold(hold.id());
        ledger.put(hold);
        before.filter(known -> !known.node().equals(hold.node())).ifPresent(known -> holdChanged(known, now));
        holdChanged(hold, now);
    }

    private void holdChanged(Hold hold, Instant now) {
        queue.happened(new Happening.HoldChanged(hold, ledger.node(hold.node())), now);
    }

    private void roomFreed(String node, Pod pod, Instant now) {
        ledger.node(node).ifPresent(state -> queue.happened(new Happening.PodLeft(state, pod), now));
    }

    private boolean oursToPlace(Pod pod) {
        return pod.nodeName().isEmpty()
                && !pod.terminating()
                && !pod.phase().terminal()
                && schedulerNames.contains(pod.schedulerName());
    }
}
