package dev.berth.engine;

import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * What every dispatcher of the loop needs.
 *
 * @param inbox receives the work that a response causes, so that it runs on the loop's thread
 * @param mayWrite whether a write that is sent now certainly ends while this process is still the leader
 */
record DispatchContext(
        ApiServerClient apiServerClient,
        Consumer<Runnable> inbox,
        DelayedTasks delayedTasks,
        InstantSource clock,
        BooleanSupplier mayWrite) {}
