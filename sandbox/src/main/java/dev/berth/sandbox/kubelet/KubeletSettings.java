package dev.berth.sandbox.kubelet;

import java.time.Duration;

/**
 * How simulated kubelets behave where an object does not say otherwise.
 *
 * @param startTime how long containers take to start
 * @param stopTime how long containers take to stop, at most the pod's grace
 * @param leaseInterval how often each node renews its lease
 * @param statusInterval how often each node reports its status when nothing changed
 * @param podEvents whether to write the events of containers' lives, about three a pod
 */
public record KubeletSettings(
        Duration startTime, Duration stopTime, Duration leaseInterval, Duration statusInterval, boolean podEvents) {

    /** Starts and stops at once, reports as real kubelets do. */
    public static final KubeletSettings DEFAULT =
            new KubeletSettings(Duration.ZERO, Duration.ZERO, Duration.ofSeconds(10), Duration.ofMinutes(5), true);

    public KubeletSettings {
        if (startTime.isNegative() || stopTime.isNegative()) {
            throw new IllegalArgumentException(
                    "start time (%s) and stop time (%s) must not be negative".formatted(startTime, stopTime));
        }
        if (leaseInterval.toMillis() < 1 || statusInterval.toMillis() < 1) {
            throw new IllegalArgumentException("lease interval (%s) and status interval (%s) must be positive"
                    .formatted(leaseInterval, statusInterval));
        }
    }

    public KubeletSettings withStopTime(Duration time) {
        return new KubeletSettings(startTime, time, leaseInterval, statusInterval, podEvents);
    }

    public KubeletSettings withStartTime(Duration time) {
        return new KubeletSettings(time, stopTime, leaseInterval, statusInterval, podEvents);
    }

    public KubeletSettings withoutPodEvents() {
        return new KubeletSettings(startTime, stopTime, leaseInterval, statusInterval, false);
    }
}
