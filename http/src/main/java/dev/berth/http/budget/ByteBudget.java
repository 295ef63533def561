package dev.berth.http.budget;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all requests together may use: their bodies, the objects built from them, and their responses. Each
 * request acquires its share before it allocates, and releases all of it at its end. Independent of HTTP. Safe for
 * several threads at once.
 */
public final class ByteBudget {
    /** The part that every request has without acquiring it, so that a health check is always answered. */
    public static final int FREE_BYTES_PER_REQUEST = 16 * 1024;

    private final long bytes;
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong rejections = new AtomicLong();

    public ByteBudget(long bytes) {
        if (bytes < 1) {
            throw new IllegalArgumentException("bytes (%d) must be positive".formatted(bytes));
        }
        this.bytes = bytes;
    }

    /** The share of one request. Confined to one thread at a time. */
    public final class Share implements AutoCloseable {
        private long taken;

        private Share() {}

        /**
         * Acquires so many bytes more.
         *
         * @throws MemoryBudgetExceededException if all requests together would exceed the budget: then nothing is
         * acquired
         */
        public void acquire(long more) {
            long before = chargedBytes();
            taken += more;
            long charge = chargedBytes() - before;
            long now = used.addAndGet(charge);
            if (now > bytes && charge > 0) {
                long alone = chargedBytes();
                used.addAndGet(-charge);
                taken -= more;
                rejections.incrementAndGet();
                throw new MemoryBudgetExceededException(more, now - charge, alone, bytes);
            }
        }

        /** Releases so many bytes before the end. */
        public void release(long fewer) {
            long before = chargedBytes();
            taken -= Math.min(fewer, taken);
            used.addAndGet(chargedBytes() - before);
        }

        private long chargedBytes() {
            return Math.max(0, taken - FREE_BYTES_PER_REQUEST);
        }

        /** Releases all of it. */
        @Override
        public void close() {
            release(taken);
        }
    }

    public Share openShare() {
        return new Share();
    }

    public long bytes() {
        return bytes;
    }

    /** The number of acquired bytes. */
    public long used() {
        return used.get();
    }

    /** How often a request exceeded the budget. */
    public long rejections() {
        return rejections.get();
    }
}
