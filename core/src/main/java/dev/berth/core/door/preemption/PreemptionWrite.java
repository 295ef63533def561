package dev.berth.core.door.preemption;

import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Effect.Announce;
import dev.berth.core.decision.Effect.PodRef;
import dev.berth.core.hold.Origin;
import java.time.Instant;

/** What the door writes: first which node is cleared for whom, then, pod by pod, that the others have to go. */
public sealed interface PreemptionWrite extends Effect.Write {
    /**
     * Says on the pod which node is being cleared for it, or where it is about to be.
     *
     * @param node empty when none is any more
     * @param door which hears what became of it
     */
    record Nominate(PodRef pod, String node, Origin.Door door) implements PreemptionWrite {
        public Nominate(PodRef pod, String node) {
            this(pod, node, Origin.Door.PREEMPTION);
        }

        @Override
        public String key() {
            return "nomination of pod %s".formatted(pod.uid());
        }

        @Override
        public String object() {
            return "nomination of pod %s".formatted(pod);
        }
    }

    /** Says on the victim why it has to go. */
    record Mark(PodRef victim, PodRef by, Instant at) implements PreemptionWrite {
        public String message() {
            return by.schedulerName() + ": preempting to accommodate a higher priority pod";
        }

        @Override
        public String key() {
            return "eviction of pod %s".formatted(victim.uid());
        }

        @Override
        public String object() {
            return "eviction of pod %s".formatted(victim);
        }
    }

    /** Sends the victim away, in the time that it asked for. */
    record Delete(PodRef victim, PodRef by, String node) implements PreemptionWrite {
        /** What the victim's author is told. */
        Announce event() {
            return new Announce(
                    victim,
                    Announce.Kind.normal("Preempted", "Preempting"),
                    "Preempted by pod %s on node %s".formatted(by.uid(), node));
        }

        @Override
        public String key() {
            return "eviction of pod %s".formatted(victim.uid());
        }

        @Override
        public String object() {
            return "eviction of pod %s".formatted(victim);
        }
    }

    @Override
    default Origin.Door door() {
        return Origin.Door.PREEMPTION;
    }
}
