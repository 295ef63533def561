package dev.berth.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Cuts off callers that take too long to send a request. The server reads a request's head on the thread that answers it, so
 * the time starts with the thread's work. An interrupt ends a read from a channel and closes the channel. The server's own
 * limit is one for the whole process and cannot be set for a listener; it stays as a second line.
 */
final class ReadLimit {
    /** A thread reads for one listener. */
    private static final ThreadLocal<@Nullable Watch> WATCHES = new ThreadLocal<>();

    private final Duration limit;
    private final ScheduledThreadPoolExecutor timer;

    ReadLimit(String name, Duration limit) {
        this.limit = limit;
        this.timer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, name + "-limit");
            thread.setDaemon(true);
            return thread;
        });
        // Most requests are read long before their limit, and would be kept until then.
        timer.setRemoveOnCancelPolicy(true);
    }

    /** The thread of one request, until the request is read. */
    private static final class Watch {
        private final Thread reader = Thread.currentThread();
        private boolean over;
        private boolean late;

        synchronized void cutOff() {
            if (!over) {
                late = true;
                reader.interrupt();
            }
        }

        /** From here on the thread is not interrupted. Says whether it was. */
        synchronized boolean end() {
            over = true;
            return late;
        }
    }

    /** The executor by which the server reads and answers requests, each within the limit. */
    Executor limiting(Executor threads) {
        return request -> threads.execute(() -> run(request));
    }

    private void run(Runnable request) {
        Watch watch = new Watch();
        Future<?> alarm = timer.schedule(watch::cutOff, limit.toNanos(), TimeUnit.NANOSECONDS);
        WATCHES.set(watch);
        try {
            request.run();
        } finally {
            watch.end();
            WATCHES.remove();
            alarm.cancel(false);
        }
    }

    /**
     * This thread has read its request: answering is not limited.
     *
     * @throws IOException when that took too long: the connection is closed, or will be by the next read
     */
    void read() throws IOException {
        @Nullable Watch watch = WATCHES.get();
        if (watch != null && watch.end()) {
            throw new IOException("the request took longer than %s to be sent".formatted(limit));
        }
    }

    void close() {
        timer.shutdownNow();
    }
}
