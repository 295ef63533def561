package dev.berth.core.decision;

import dev.berth.core.cluster.Pod;
import dev.berth.core.placement.Placement;
import dev.berth.core.queue.Attempt;

/** Hears how attempts to place pods end that come to nothing, on the deciding thread. It is quick and changes nothing. */
public interface AttemptObserver {
    /** For those who need not know. */
    AttemptObserver NONE = new AttemptObserver() {
        @Override
        public void refused(Pod pod, Placement.Refused refused) {}

        @Override
        public void failed(Effect.PodRef pod, Attempt attempt) {}
    };

    /** No node takes the pod. */
    void refused(Pod pod, Placement.Refused refused);

    /** The pod had a place, but its bind came to nothing. */
    void failed(Effect.PodRef pod, Attempt attempt);
}
