package dev.berth.sandbox.http;

import io.netty.util.concurrent.Future;
import java.util.Objects;

/** Results that need no check: a failed write or close ends the connection, and its handler notices that. */
final class IgnoredFutures {

    private IgnoredFutures() {}

    static void ignore(Future<?> future) {
        Objects.requireNonNull(future, "outcome");
    }
}
