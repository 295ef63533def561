package dev.berth.core.scheduling;

import dev.berth.core.cluster.Pod;
import dev.berth.core.effect.Effect;
import dev.berth.core.placement.Placement;
import dev.berth.core.queue.SchedulingAttempt;

/** Hears how attempts to place pods end that come to nothing, on the deciding thread. It is quick and changes nothing. */
public interface AttemptObserver {
    /** For those who need not know. */
    AttemptObserver NONE = new AttemptObserver() {
        @Override
        public void onUnschedulable(Pod pod, Placement.Refused refused) {}

        @Override
        public void onBindFailed(Effect.PodRef pod, SchedulingAttempt attempt) {}
    };

    /** No node takes the pod. */
    void onUnschedulable(Pod pod, Placement.Refused refused);

    /** The pod had a place, but its bind came to nothing. */
    void onBindFailed(Effect.PodRef pod, SchedulingAttempt attempt);
}
