package dev.berth.core.queue;

import java.time.Instant;

/**
 * One try to place a pod.
 *
 * @param number how many there were, this one included
 * @param wanted since when the pod could be tried
 * @param begun when this try began
 */
public record Attempt(int number, Instant wanted, Instant begun) {}
