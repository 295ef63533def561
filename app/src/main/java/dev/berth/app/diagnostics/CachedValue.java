package dev.berth.app.diagnostics;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An answer that is good for a second, so that however many ask cost no more than one. Safe from several threads at once:
 * while one finds out, the others wait for what it finds.
 */
final class CachedValue<T> {
    static final Duration TTL = Duration.ofSeconds(1);

    private final Loader<T> loader;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by asking.
    private Optional<T> value = Optional.empty();
    private Instant loadedAt = Instant.MIN;

    /** Finds out anew. */
    @FunctionalInterface
    interface Loader<T> {
        T load() throws InterruptedException;
    }

    CachedValue(Loader<T> loader, InstantSource clock) {
        this.loader = loader;
        this.clock = clock;
    }

    T get() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (value.isPresent() && isFresh(clock.instant())) {
                return value.get();
            }
            T now = loader.load();
            value = Optional.of(now);
            loadedAt = clock.instant();
            return now;
        } finally {
            lock.unlock();
        }
    }

    /** A clock that was set back must not make an answer good for long. */
    private boolean isFresh(Instant now) {
        return !now.isBefore(loadedAt) && now.isBefore(loadedAt.plus(TTL));
    }
}
