package dev.berth.core.placement.neighbour;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;

/** All of a pod that selections of pods look at: what matches one pod of a kin matches all of them. */
record Kin(String namespace, Labels labels, boolean terminating) {
    static Kin of(Pod pod) {
        return new Kin(pod.namespace(), pod.labels(), pod.terminating());
    }
}
