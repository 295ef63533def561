package dev.berth.sandbox.client.eventloop;

import dev.berth.sandbox.client.DynamicClient;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * What a task works with: the client, the clock, the random numbers and the signal that wakes it.
 *
 * @param random used by the stepping thread alone
 */
public record LoopEnvironment(
        DynamicClient client, InstantSource clock, RandomGenerator random, WakeSignal wakeSignal) {}
