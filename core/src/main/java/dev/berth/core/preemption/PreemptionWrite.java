package dev.berth.core.preemption;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.Effect.PodRef;
import dev.berth.core.effect.Effect.RecordEvent;
import dev.berth.core.hold.Origin;
import java.time.Instant;

/** What preemption writes about each victim: first the condition, then the deletion. */
public sealed interface PreemptionWrite extends Effect.Write {
    PodRef victim();

    /** What the victim is evicted for. */
    Preemptor preemptor();

    /** Sets the condition DisruptionTarget on the victim. */
    record Mark(PodRef victim, Preemptor preemptor, Instant at) implements PreemptionWrite {
        public String message() {
            return "%s: preempting to accommodate %s"
                    .formatted(
                            preemptor.schedulerName(),
                            preemptor.isPod()
                                    ? "a higher priority pod"
                                    : "%s of higher priority".formatted(preemptor.target()));
        }
    }

    /** Deletes the victim, with the grace period of its spec. */
    record Delete(PodRef victim, Preemptor preemptor, String node) implements PreemptionWrite {
        /** The event on the victim. */
        RecordEvent preemptedEvent() {
            return new RecordEvent(
                    victim,
                    RecordEvent.EventTemplate.normal("Preempted", "Preempting"),
                    "Preempted by %s on node %s".formatted(preemptor.description(), node));
        }
    }

    @Override
    default Origin.PluginId component() {
        return Origin.PluginId.PREEMPTION;
    }

    @Override
    default String key() {
        return "eviction of pod %s".formatted(victim().uid());
    }

    @Override
    default String object() {
        return "eviction of pod %s".formatted(victim());
    }
}
