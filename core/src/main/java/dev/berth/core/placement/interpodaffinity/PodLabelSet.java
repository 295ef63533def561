package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;

/** Everything about a pod that selectors read. A selector matches either all pods of one label set or none. */
record PodLabelSet(String namespace, Labels labels, boolean terminating) {
    static PodLabelSet of(Pod pod) {
        return new PodLabelSet(pod.namespace(), pod.labels(), pod.terminating());
    }
}
