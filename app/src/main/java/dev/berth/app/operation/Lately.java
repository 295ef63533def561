package dev.berth.app.operation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An answer that is good for a second, so that however many ask cost no more than one. Safe from several threads at once:
 * while one finds out, the others wait for what it finds.
 */
final class Lately<T> {
    static final Duration GOOD_FOR = Duration.ofSeconds(1);

    private final Question<T> question;
    private final InstantSource clock;
    private final ReentrantLock asking = new ReentrantLock();
    // Guarded by asking.
    private Optional<T> answer = Optional.empty();
    private Instant found = Instant.MIN;

    /** Finds out anew. */
    @FunctionalInterface
    interface Question<T> {
        T ask() throws InterruptedException;
    }

    Lately(Question<T> question, InstantSource clock) {
        this.question = question;
        this.clock = clock;
    }

    T ask() throws InterruptedException {
        asking.lockInterruptibly();
        try {
            if (answer.isPresent() && fresh(clock.instant())) {
                return answer.get();
            }
            T now = question.ask();
            answer = Optional.of(now);
            found = clock.instant();
            return now;
        } finally {
            asking.unlock();
        }
    }

    /** A clock that was set back must not make an answer good for long. */
    private boolean fresh(Instant now) {
        return !now.isBefore(found) && now.isBefore(found.plus(GOOD_FOR));
    }
}
