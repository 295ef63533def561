package dev.berth.http.budget;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all requests together may take at one moment: their bodies, what is read from them, and their answers.
 * Each request takes its part before it allocates, and gives all of it back at its end. Knows nothing of HTTP. Safe from
 * several threads at once.
 */
public final class ByteBudget {
    /** What every request may take without asking, so that a health check is answered whatever others send. */
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

    /** The part of one request. Belongs to one thread at a time. */
    public final class Share implements AutoCloseable {
        private long taken;

        private Share() {}

        /**
         * Takes so many bytes more.
         *
         * @throws MemoryBudgetExceededException when all requests together would have too many: nothing more is taken then
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

        /** Gives so many bytes back before the end. */
        public void release(long fewer) {
            long before = chargedBytes();
            taken -= Math.min(fewer, taken);
            used.addAndGet(chargedBytes() - before);
        }

        private long chargedBytes() {
            return Math.max(0, taken - FREE_BYTES_PER_REQUEST);
        }

        /** Gives all of it back. */
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

    /** What is taken at this moment. */
    public long used() {
        return used.get();
    }

    /** How often more was wanted than there was. */
    public long rejections() {
        return rejections.get();
    }
}
