package dev.berth.core.door.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Effect.PodRef;
import dev.berth.core.decision.Outcome;
import dev.berth.core.door.preemption.PreemptionWrite.Delete;
import dev.berth.core.door.preemption.PreemptionWrite.Mark;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How far each victim is on its way out. Whoever needs its room, one chain of writes sends it away, and nothing is sent
 * for a victim that nobody needs to go any more.
 */
final class Evictions {
    private enum Stage {
        MARKING,
        MARKED,
        DELETING,
        /** It leaves in its own time. */
        TOLD,
        /** The API server knows another pod of this name, or none: mostly the watch will show what is so. */
        UNCLEAR
    }

    /** How long it waits for the watch to show what is so. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Map<PodUid, Stage> stages = new HashMap<>();
    private final Map<PodUid, Instant> unclearUntil = new TreeMap<>();

    boolean isEmpty() {
        return stages.isEmpty();
    }

    /** Has the next word written about every victim that still stays. */
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
        Delete deletion = new Delete(ref, nomination.ref(), nomination.node());
        if (desk.interrupt(victim.uid(), "preempted by pod %s".formatted(nomination.pod()))) {
            desk.write(deletion.event());
            return;
        }
        Optional<Stage> stage = Optional.ofNullable(stages.get(victim.uid()));
        if (stage.isEmpty()) {
            stages.put(victim.uid(), Stage.MARKING);
            desk.write(new Mark(ref, nomination.ref(), desk.now()));
        } else if (stage.get() == Stage.MARKED) {
            stages.put(victim.uid(), Stage.DELETING);
            desk.write(deletion);
        }
    }

    /** Those about whom nothing has shown for a while are told again. */
    void loseThePatience(Instant now) {
        unclearUntil.entrySet().removeIf(entry -> {
            boolean over = !entry.getValue().isAfter(now);
            if (over) {
                stages.remove(entry.getKey(), Stage.UNCLEAR);
            }
            return over;
        });
    }

    /** When {@link #loseThePatience} has something to do. */
    Optional<Instant> nextWake() {
        return unclearUntil.values().stream().min(Instant::compareTo);
    }

    void written(Mark mark, Outcome outcome, Instant now) {
        move(mark.victim(), outcome, Stage.MARKED, now);
    }

    void written(Delete delete, Outcome outcome, Instant now) {
        move(delete.victim(), outcome, Stage.TOLD, now);
    }

    private void move(PodRef victim, Outcome outcome, Stage written, Instant now) {
        switch (outcome.kind()) {
            case WRITTEN -> stages.put(victim.uid(), written);
            case CONFLICT, GONE -> {
                stages.put(victim.uid(), Stage.UNCLEAR);
                unclearUntil.put(victim.uid(), now.plus(PATIENCE));
            }
            case DENIED -> stages.remove(victim.uid());
        }
    }

    /** Something new is known of the pod: if it still is to go, it is told again. */
    void seen(PodUid pod) {
        if (!stages.isEmpty() && stages.get(pod) == Stage.UNCLEAR) {
            stages.remove(pod);
            unclearUntil.remove(pod);
        }
    }

    void gone(PodUid pod) {
        if (!stages.isEmpty()) {
            stages.remove(pod);
            unclearUntil.remove(pod);
        }
    }

    /** Forgets those whom nobody needs to go and about whom nothing is on its way. */
    void keepOnly(Set<PodUid> needed) {
        stages.entrySet()
                .removeIf(entry -> !needed.contains(entry.getKey())
                        && entry.getValue() != Stage.MARKING
                        && entry.getValue() != Stage.DELETING);
        unclearUntil.keySet().retainAll(stages.keySet());
    }

    static Optional<PodRef> victimOf(Effect.Write write) {
        if (write instanceof Mark mark) {
            return Optional.of(mark.victim());
        }
        return write instanceof Delete delete ? Optional.of(delete.victim()) : Optional.empty();
    }
}
