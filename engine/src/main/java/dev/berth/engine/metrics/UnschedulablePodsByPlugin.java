package dev.berth.engine.metrics;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.Placement;
import dev.berth.core.queue.QueueState;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.engine.metrics.AttemptMetricsSnapshot.PluginCount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Unschedulable pods by the plugins that refused them. Pods that left the queue are removed from time to time, not one
 * by one.
 */
final class UnschedulablePodsByPlugin {
    /** The plugin that refuses a pod in PreFilter. */
    private static final String PRE_FILTER = "PreFilter";

    private static final int MIN_CLEANUP_SIZE = 1_024;

    private final SchedulingQueue queue;
    private final Map<PodUid, UnschedulablePod> pods = new HashMap<>();
    /** Beyond this number, pods that left the queue are removed. */
    private int cleanUpAtSize = MIN_CLEANUP_SIZE;

    private record UnschedulablePod(String profile, Set<String> plugins) {}

    UnschedulablePodsByPlugin(SchedulingQueue queue) {
        this.queue = queue;
    }

    void add(Pod pod, Placement.Refused why) {
        pods.put(pod.uid(), new UnschedulablePod(pod.schedulerName(), plugins(why)));
        if (pods.size() >= cleanUpAtSize) {
            removeLeftPods();
            cleanUpAtSize = Math.max(MIN_CLEANUP_SIZE, 2 * pods.size());
        }
    }

    void remove(PodUid uid) {
        pods.remove(uid);
    }

    List<PluginCount> byPlugin() {
        removeLeftPods();
        Map<String, Map<String, Integer>> sums = new TreeMap<>();
        pods.forEach((uid, unschedulablePod) -> {
            if (queue.stateOf(uid).equals(Optional.of(QueueState.UNSCHEDULABLE))) {
                unschedulablePod.plugins.forEach(plugin -> sums.computeIfAbsent(plugin, same -> new TreeMap<>())
                        .merge(unschedulablePod.profile, 1, Integer::sum));
            }
        });
        List<PluginCount> all = new ArrayList<>();
        sums.forEach((plugin, profiles) ->
                profiles.forEach((profile, count) -> all.add(new PluginCount(plugin, profile, count))));
        return all;
    }

    private void removeLeftPods() {
        pods.keySet().removeIf(uid -> queue.stateOf(uid).isEmpty());
    }

    /** Without nodes no plugin refused the pod. kube-scheduler counts it under no plugin either. */
    private static Set<String> plugins(Placement.Refused why) {
        if (why.nodes() == 0) {
            return Set.of();
        }
        if (why.reasons().isEmpty()) {
            return Set.of(PRE_FILTER);
        }
        Set<String> plugins = new TreeSet<>();
        why.reasons().forEach(reason -> plugins.add(reason.nearestVeto().plugin()));
        return plugins;
    }
}
