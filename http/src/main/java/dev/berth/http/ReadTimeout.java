package dev.berth.http;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes the connections of callers that take too long to send a request. The server reads a request's head on the
 * thread that handles it, so the time starts with the thread's work. An interrupt ends a read from a channel and closes
 * the channel. The server's own limit applies to the whole process and cannot be set for a listener; it remains as a
 * second limit.
 */
final class ReadTimeout {
    /** A thread reads for one listener. */
    private static final ThreadLocal<@Nullable ReadDeadline> DEADLINES = new ThreadLocal<>();

    private final Duration timeout;
    private final ScheduledThreadPoolExecutor timer;

    ReadTimeout(String name, Duration limit) {
        this.timeout = limit;
        this.timer = new ScheduledThreadPoolExecutor(1, work -> {
            Thread thread = new Thread(work, name + "-limit");
            thread.setDaemon(true);
            return thread;
        });
        // Most requests are read long before their limit, and would stay in the queue until then.
        timer.setRemoveOnCancelPolicy(true);
    }

    /** The thread of one request, until the request is read. */
    private static final class ReadDeadline {
        private final Thread reader = Thread.currentThread();
        private boolean completed;
        private boolean expired;

        synchronized void expire() {
            if (!completed) {
                expired = true;
                reader.interrupt();
            }
        }

        /** From here on the thread is not interrupted. Returns whether it was in time. */
        synchronized boolean complete() {
            completed = true;
            return expired;
        }
    }

    /** The executor on which the server reads and handles requests, each within the limit. */
    Executor wrap(Executor threads) {
        return request -> threads.execute(() -> run(request));
    }

    private void run(Runnable request) {
        ReadDeadline readDeadline = new ReadDeadline();
        Future<?> timeoutTask = timer.schedule(readDeadline::expire, timeout.toNanos(), TimeUnit.NANOSECONDS);
        DEADLINES.set(readDeadline);
        try {
            request.run();
        } finally {
            readDeadline.complete();
            DEADLINES.remove();
            timeoutTask.cancel(false);
        }
    }

    /**
     * This thread has read its request: handling it is not limited.
     *
     * @throws IOException if reading took too long: the connection is closed, or will be by the next read
     */
    void onRequestRead() throws IOException {
        @Nullable ReadDeadline readDeadline = DEADLINES.get();
        if (readDeadline != null && readDeadline.complete()) {
            throw new IOException("the request took longer than %s to be sent".formatted(timeout));
        }
    }

    void close() {
        timer.shutdownNow();
    }
}
