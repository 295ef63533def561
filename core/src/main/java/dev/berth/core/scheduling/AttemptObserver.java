package dev.berth.core.scheduling;

import dev.berth.core.cluster.Pod;
import dev.berth.core.effect.Effect;
import dev.berth.core.placement.Placement;
import dev.berth.core.queue.SchedulingAttempt;

/** Observes failed scheduling attempts, on the thread that owns the ledger. It must be fast and change nothing. */
public interface AttemptObserver {
    /** Ignores everything. */
    AttemptObserver NONE = new AttemptObserver() {
        @Override
        public void onUnschedulable(Pod pod, Placement.Refused refused) {}

        @Override
        public void onBindFailed(Effect.PodRef pod, SchedulingAttempt attempt) {}
    };

    /** No node is feasible for the pod. */
    void onUnschedulable(Pod pod, Placement.Refused refused);

    /** The pod was placed, but its bind failed. */
    void onBindFailed(Effect.PodRef pod, SchedulingAttempt attempt);
}
