package dev.berth.engine.meter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.Placement;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.queue.Standing;
import dev.berth.engine.meter.AttemptReadings.Refusing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** By whom waiting pods were refused. Pods that left the queue are forgotten now and then, not one by one. */
final class RefusedPods {
    /** Who refuses a pod before any node is looked at. */
    private static final String BEFOREHAND = "PreFilter";

    private static final int FEW = 1_024;

    private final SchedulingQueue queue;
    private final Map<PodUid, By> pods = new HashMap<>();
    /** When there are so many, some may have left. */
    private int cleanAt = FEW;

    private record By(String profile, Set<String> plugins) {}

    RefusedPods(SchedulingQueue queue) {
        this.queue = queue;
    }

    void add(Pod pod, Placement.Refused why) {
        pods.put(pod.uid(), new By(pod.schedulerName(), plugins(why)));
        if (pods.size() >= cleanAt) {
            clean();
            cleanAt = Math.max(FEW, 2 * pods.size());
        }
    }

    void forget(PodUid uid) {
        pods.remove(uid);
    }

    List<Refusing> byPlugin() {
        clean();
        Map<String, Map<String, Integer>> sums = new TreeMap<>();
        pods.forEach((uid, by) -> {
            if (queue.standing(uid).equals(Optional.of(Standing.WAITING))) {
                by.plugins.forEach(plugin ->
                        sums.computeIfAbsent(plugin, same -> new TreeMap<>()).merge(by.profile, 1, Integer::sum));
            }
        });
        List<Refusing> all = new ArrayList<>();
        sums.forEach((plugin, profiles) ->
                profiles.forEach((profile, count) -> all.add(new Refusing(plugin, profile, count))));
        return all;
    }

    private void clean() {
        pods.keySet().removeIf(uid -> queue.standing(uid).isEmpty());
    }

    /** Where there is no node, nobody refused the pod: kube-scheduler counts it under no plugin either. */
    private static Set<String> plugins(Placement.Refused why) {
        if (why.nodes() == 0) {
            return Set.of();
        }
        if (why.reasons().isEmpty()) {
            return Set.of(BEFOREHAND);
        }
        Set<String> plugins = new TreeSet<>();
        why.reasons().forEach(reason -> plugins.add(reason.nearest().plugin()));
        return plugins;
    }
}
