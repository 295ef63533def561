package dev.berth.core.queue;

import java.time.Instant;

/**
 * One attempt to schedule a pod.
 *
 * @param number the number of attempts, including this one
 * @param schedulableSince since when the pod could be scheduled
 * @param startedAt when this attempt began
 */
public record SchedulingAttempt(int number, Instant schedulableSince, Instant startedAt) {}
