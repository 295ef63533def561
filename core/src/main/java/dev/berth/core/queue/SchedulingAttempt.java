package dev.berth.core.queue;

import java.time.Instant;

/**
 * One try to place a pod.
 *
 * @param number how many there were, this one included
 * @param schedulableSince since when the pod could be tried
 * @param startedAt when this try began
 */
public record SchedulingAttempt(int number, Instant schedulableSince, Instant startedAt) {}
