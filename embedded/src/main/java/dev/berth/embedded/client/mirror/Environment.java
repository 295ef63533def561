package dev.berth.embedded.client.mirror;

import dev.berth.embedded.client.ApiClient;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * What everything that runs here is given: the server, the time, the dice and the bell that wakes it.
 *
 * @param random used by the stepping thread alone
 */
public record Environment(ApiClient client, InstantSource clock, RandomGenerator random, Bell bell) {}
