package dev.berth.core.queue;

import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Counts how often pods entered each queue state, by event, as kube-scheduler does. Used by the queue alone. */
final class IncomingPodCounts {
    /** The pod is new, or its last scheduling gate was removed. */
    static final String POD_ADD = "UnschedulablePodAdd";

    static final String POD_UPDATE = "UnschedulablePodUpdate";
    static final String SCHEDULE_ATTEMPT_FAILURE = "ScheduleAttemptFailure";
    static final String BACKOFF_COMPLETE = "BackoffComplete";
    static final String UNSCHEDULABLE_TIMEOUT = "UnschedulableTimeout";

    private final Map<QueueState, Map<String, long[]>> counts = new EnumMap<>(QueueState.class);

    void increment(QueueState state, String event) {
        counts.computeIfAbsent(state, same -> new HashMap<>()).computeIfAbsent(event, same -> new long[1])[0]++;
    }

    /** An immutable copy. */
    Map<QueueState, Map<String, Long>> copy() {
        Map<QueueState, Map<String, Long>> copy = new EnumMap<>(QueueState.class);
        counts.forEach((state, events) -> {
            Map<String, Long> sums = new TreeMap<>();
            events.forEach((event, sum) -> sums.put(event, sum[0]));
            copy.put(state, Collections.unmodifiableMap(sums));
        });
        return Collections.unmodifiableMap(copy);
    }
}
