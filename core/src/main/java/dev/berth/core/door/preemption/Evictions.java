package dev.berth.core.door.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Effect.PodRef;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Subject;
import dev.berth.core.door.preemption.PreemptionWrite.Delete;
import dev.berth.core.door.preemption.PreemptionWrite.Mark;
import dev.berth.core.reconcile.Policy;
import dev.berth.core.reconcile.Reconciler;
import dev.berth.core.reconcile.Source;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * How far each victim is on its way out. Whoever needs its room, one chain of writes sends it away, and nothing is sent
 * for a victim that nobody needs to go any more.
 */
final class Evictions implements Source<PodUid, PreemptionWrite> {
    /** One victim. Its first preemptor is named in all that is written, also when another pod needs the room by then. */
    private static final class Eviction {
        private final PodRef victim;
        private final PodRef by;
        private final String node;
        private final Instant since;
        private boolean marked;
        private boolean told;

        private Eviction(PodRef victim, Nomination nomination, Instant since) {
            this.victim = victim;
            this.by = nomination.ref();
            this.node = nomination.node();
            this.since = since;
        }

        private Delete deletion() {
            return new Delete(victim, by, node);
        }
    }

    private final Map<PodUid, Eviction> evictions = new HashMap<>();
    private final Reconciler<PodUid, PreemptionWrite> reconciler = new Reconciler<>(this, Policy.EVICTION);
    /** How often the labels or annotations of these victims changed: rules that protect pods mostly go by them. */
    private final Map<PodUid, Integer> changes = new HashMap<>();

    boolean isEmpty() {
        return evictions.isEmpty() && reconciler.isEmpty();
    }

    /** Has every victim that still stays sent away, from the next {@link #settle} on. */
    void pursue(Nomination nomination, Desk desk) {
        for (PodUid uid : new TreeSet<>(nomination.victims())) {
            desk.ledger()
                    .pod(uid)
                    .filter(victim -> !victim.terminating())
                    .ifPresent(victim -> pursue(victim, nomination, desk));
        }
    }

    private void pursue(Pod victim, Nomination nomination, Desk desk) {
        PodRef ref = new PodRef(
                victim.namespace(),
                victim.name(),
                victim.uid(),
                nomination.pod().schedulerName());
        if (desk.interrupt(victim.uid(), "preempted by pod %s".formatted(nomination.pod()))) {
            desk.write(new Delete(ref, nomination.ref(), nomination.node()).event());
        } else if (!evictions.containsKey(victim.uid())) {
            evictions.put(victim.uid(), new Eviction(ref, nomination, desk.now()));
            reconciler.touch(victim.uid());
        }
    }

    /** Has the next word written about every victim that still stays, as far as the turn has time. */
    void settle(Desk desk) {
        for (PodUid uid : reconciler.due(desk.now())) {
            reconciler.reconcile(uid, desk);
            if (!evictions.containsKey(uid) && !reconciler.waits(uid)) {
                forget(uid);
            }
            if (desk.timeIsUp()) {
                return;
            }
        }
    }

    int retrying() {
        return reconciler.retrying();
    }

    Optional<Instant> nextWake() {
        return reconciler.nextWake();
    }

    /** What became of a {@link Mark} or a {@link Delete}. */
    void answered(PodRef victim, PreemptionWrite write, Outcome outcome, Desk desk) {
        reconciler.answered(victim.uid(), write, outcome, desk);
        Eviction eviction = evictions.get(victim.uid());
        if (outcome.kind() != Outcome.Kind.WRITTEN) {
            return;
        }
        if (write instanceof Delete delete && (eviction == null || !eviction.told)) {
            desk.write(delete.event());
        }
        if (eviction != null) {
            eviction.marked = true;
            eviction.told |= write instanceof Delete;
        }
    }

    /** The API server's message, while nothing is asked about the pod. */
    Optional<String> denial(PodUid pod) {
        return reconciler.denial(pod);
    }

    void seen(Optional<Pod> before, Pod pod) {
        if (isEmpty() || !(evictions.containsKey(pod.uid()) || reconciler.waits(pod.uid()))) {
            return;
        }
        boolean same = before.filter(known -> known.labels().equals(pod.labels())
                        && known.annotations().equals(pod.annotations()))
                .isPresent();
        if (!same) {
            changes.merge(pod.uid(), 1, Integer::sum);
        }
        reconciler.touch(pod.uid());
    }

    void gone(PodUid pod) {
        evictions.remove(pod);
        forget(pod);
    }

    private void forget(PodUid pod) {
        reconciler.forget(pod);
        changes.remove(pod);
    }

    /** Forgets these victims, which no nomination needs any more. What is under way, or was denied, stays known. */
    void drop(Set<PodUid> spared) {
        for (PodUid pod : spared) {
            if (evictions.remove(pod) != null) {
                reconciler.touch(pod);
            }
        }
    }

    @Override
    public String version(PodUid pod) {
        return "labels " + changes.getOrDefault(pod, 0);
    }

    /** First it is said on the victim why it has to go. */
    @Override
    public Optional<PreemptionWrite> wanted(PodUid uid, Desk desk) {
        Eviction eviction = evictions.get(uid);
        Optional<Pod> victim = desk.ledger().pod(uid).filter(pod -> !pod.terminating());
        if (eviction == null || victim.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                eviction.marked || victim.get().preempted()
                        ? eviction.deletion()
                        : new Mark(eviction.victim, eviction.by, eviction.since));
    }

    /** The pod that waits for the room is told. */
    @Override
    public Subject subject(PreemptionWrite write) {
        return Subject.of(write instanceof Mark mark ? mark.by() : ((Delete) write).by());
    }

    @Override
    public String consequence(PreemptionWrite write) {
        PodRef victim = victimOf(write).orElseThrow();
        return "Preemption failed: pod %s could not be deleted.".formatted(victim);
    }

    static Optional<PodRef> victimOf(Effect.Write write) {
        if (write instanceof Mark mark) {
            return Optional.of(mark.victim());
        }
        return write instanceof Delete delete ? Optional.of(delete.victim()) : Optional.empty();
    }
}
