package dev.berth.sandbox.http;

import io.netty.util.concurrent.Future;
import java.util.Objects;

/** Outcomes that nobody needs to look at: a write or close that fails ends its connection, which is noticed there. */
final class IgnoredFutures {

    private IgnoredFutures() {}

    static void ignore(Future<?> future) {
        Objects.requireNonNull(future, "outcome");
    }
}
