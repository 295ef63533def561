package dev.berth.app.diagnostics;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A value that is cached for a second, so that many requests cost no more than one. Safe for several threads at once:
 * while one thread computes it, the others wait for the result.
 */
final class CachedValue<T> {
    static final Duration TTL = Duration.ofSeconds(1);

    private final Loader<T> loader;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private Optional<T> value = Optional.empty();
    private Instant loadedAt = Instant.MIN;

    /** Computes the value. */
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

    /** If the clock was set back, the value must not stay valid for long. */
    private boolean isFresh(Instant now) {
        return !now.isBefore(loadedAt) && now.isBefore(loadedAt.plus(TTL));
    }
}
