package dev.berth.testkit.contract;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Polls for a state that a different process reaches asynchronously. For this process use latches and futures. */
public final class Eventually {

    private static final Duration PAUSE = Duration.ofMillis(25);
    private static final int ATTEMPTS = 1600;

    private Eventually() {}

    /** Repeats an assertion until it holds, for at most forty seconds of pauses. */
    public static void holds(Runnable assertion) {
        get(() -> {
            assertion.run();
            return true;
        });
    }

    /** Repeats a query with assertions until they hold, and returns its result. */
    public static <T> T get(Supplier<T> query) {
        for (int attempt = 1; ; attempt++) {
            try {
                return query.get();
            } catch (AssertionError e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            boolean counted = new CountDownLatch(1).await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
            if (counted) {
                throw new IllegalStateException("a latch nobody counts down was counted down");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting", e);
        }
    }
}
