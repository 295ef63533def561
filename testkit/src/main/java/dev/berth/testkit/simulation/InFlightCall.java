package dev.berth.testkit.simulation;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A call in flight: first the request arrives, later its response. */
final class InFlightCall<T> {
    private final Supplier<T> work;
    private final CompletableFuture<T> response = new CompletableFuture<>();
    private Optional<T> outcome = Optional.empty();

    InFlightCall(Supplier<T> work) {
        this.work = work;
    }

    CompletableFuture<T> response() {
        return response;
    }

    boolean arrived() {
        return outcome.isPresent();
    }

    /** Advances the call by one step. */
    void advance() {
        if (outcome.isPresent()) {
            response.complete(outcome.get());
        } else {
            outcome = Optional.of(work.get());
        }
    }
}
