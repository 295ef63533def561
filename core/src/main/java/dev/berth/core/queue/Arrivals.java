package dev.berth.core.queue;

import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** How often pods came to stand somewhere, by why, as kube-scheduler counts it. The queue's alone. */
final class Arrivals {
    /** The pod is new, or no longer kept back by its gates. */
    static final String POD_ADD = "UnschedulablePodAdd";

    static final String POD_UPDATE = "UnschedulablePodUpdate";
    static final String ATTEMPT_FAILED = "ScheduleAttemptFailure";
    static final String BACK_OFF_OVER = "BackoffComplete";
    static final String PATIENCE_OVER = "UnschedulableTimeout";

    private final Map<Standing, Map<String, long[]>> counts = new EnumMap<>(Standing.class);

    void count(Standing standing, String event) {
        counts.computeIfAbsent(standing, same -> new HashMap<>()).computeIfAbsent(event, same -> new long[1])[0]++;
    }

    /** As it is now, and not changed later. */
    Map<Standing, Map<String, Long>> copy() {
        Map<Standing, Map<String, Long>> copy = new EnumMap<>(Standing.class);
        counts.forEach((standing, events) -> {
            Map<String, Long> sums = new TreeMap<>();
            events.forEach((event, sum) -> sums.put(event, sum[0]));
            copy.put(standing, Collections.unmodifiableMap(sums));
        });
        return Collections.unmodifiableMap(copy);
    }
}
