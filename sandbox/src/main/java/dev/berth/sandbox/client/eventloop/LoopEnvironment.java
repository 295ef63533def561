package dev.berth.sandbox.client.eventloop;

import dev.berth.sandbox.client.DynamicClient;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * What everything that runs here is given: the server, the time, the dice and the bell that wakes it.
 *
 * @param random used by the stepping thread alone
 */
public record LoopEnvironment(
        DynamicClient client, InstantSource clock, RandomGenerator random, WakeSignal wakeSignal) {}
