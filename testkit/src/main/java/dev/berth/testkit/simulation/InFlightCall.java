package dev.berth.testkit.simulation;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A call on its way: first it arrives, later its answer does. */
final class InFlightCall<T> {
    private final Supplier<T> work;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private Optional<T> outcome = Optional.empty();

    InFlightCall(Supplier<T> work) {
        this.work = work;
    }

    CompletableFuture<T> answer() {
        return answer;
    }

    boolean arrived() {
        return outcome.isPresent();
    }

    /** Takes it one step further. */
    void advance() {
        if (outcome.isPresent()) {
            answer.complete(outcome.get());
        } else {
            outcome = Optional.of(work.get());
        }
    }
}
