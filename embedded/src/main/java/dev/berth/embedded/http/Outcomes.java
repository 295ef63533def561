package dev.berth.embedded.http;

import io.netty.util.concurrent.Future;
import java.util.Objects;

/** Outcomes that nobody needs to look at: a write or close that fails ends its connection, which is noticed there. */
final class Outcomes {

    private Outcomes() {}

    static void unneeded(Future<?> outcome) {
        Objects.requireNonNull(outcome, "outcome");
    }
}
