package dev.berth.testkit.simulation;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A call on its way: first it arrives, later its answer does. */
final class Flight<T> {
    private final Supplier<T> work;
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private Optional<T> outcome = Optional.empty();

    Flight(Supplier<T> work) {
        this.work = work;
    }

    CompletableFuture<T> answer() {
        return answer;
    }

    boolean arrived() {
        return outcome.isPresent();
    }

    /** Takes it one step further. */
    void go() {
        if (outcome.isPresent()) {
            answer.complete(outcome.get());
        } else {
            outcome = Optional.of(work.get());
        }
    }
}
