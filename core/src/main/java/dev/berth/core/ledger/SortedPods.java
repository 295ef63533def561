package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The pods of one node in the order of their UIDs. A list once given out never changes: each change is made on a copy. */
final class SortedPods {
    private Pod[] pods = new Pod[0];

    /** Puts the pod in, in place of an older version of it. */
    void put(Pod pod) {
        int at = find(pod.uid());
        if (at >= 0) {
            pods = pods.clone();
            pods[at] = pod;
            return;
        }
        int target = -at - 1;
        Pod[] copy = new Pod[pods.length + 1];
        System.arraycopy(pods, 0, copy, 0, target);
        copy[target] = pod;
        System.arraycopy(pods, target, copy, target + 1, pods.length - target);
        pods = copy;
    }

    void remove(Pod pod) {
        int at = find(pod.uid());
        if (at < 0) {
            return;
        }
        Pod[] copy = new Pod[pods.length - 1];
        System.arraycopy(pods, 0, copy, 0, at);
        System.arraycopy(pods, at + 1, copy, at, copy.length - at);
        pods = copy;
    }

    Optional<Pod> get(PodUid uid) {
        int at = find(uid);
        return at < 0 ? Optional.empty() : Optional.of(pods[at]);
    }

    List<Pod> list() {
        return Collections.unmodifiableList(Arrays.asList(pods));
    }

    boolean isEmpty() {
        return pods.length == 0;
    }

    private int find(PodUid uid) {
        int low = 0;
        int high = pods.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = pods[middle].uid().compareTo(uid);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }
}
