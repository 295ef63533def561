package dev.berth.core.preemption;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.Effect.PodRef;
import dev.berth.core.effect.Effect.RecordEvent;
import dev.berth.core.hold.Origin;
import java.time.Instant;

/** What preemption writes about each victim: first the condition, then the deletion. */
public sealed interface PreemptionWrite extends Effect.Write {
    PodRef victim();

    /** The pod that the victim is evicted for. */
    PodRef preemptor();

    /** Sets the condition DisruptionTarget on the victim. */
    record Mark(PodRef victim, PodRef preemptor, Instant at) implements PreemptionWrite {
        public String message() {
            return preemptor.schedulerName() + ": preempting to accommodate a higher priority pod";
        }
    }

    /** Deletes the victim, with the grace period of its spec. */
    record Delete(PodRef victim, PodRef preemptor, String node) implements PreemptionWrite {
        /** The event on the victim. */
        RecordEvent preemptedEvent() {
            return new RecordEvent(
                    victim,
                    RecordEvent.EventTemplate.normal("Preempted", "Preempting"),
                    "Preempted by pod %s on node %s".formatted(preemptor.uid(), node));
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
