package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;

/** All of a pod that selections of pods look at: what matches one pod of a kin matches all of them. */
record PodLabelSet(String namespace, Labels labels, boolean terminating) {
    static PodLabelSet of(Pod pod) {
        return new PodLabelSet(pod.namespace(), pod.labels(), pod.terminating());
    }
}
