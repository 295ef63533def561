package dev.berth.http.budget;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that all requests together may take at one moment: their bodies, what is read from them, and their answers.
 * Each request takes its part before it allocates, and gives all of it back at its end. Knows nothing of HTTP. Safe from
 * several threads at once.
 */
public final class ByteBudget {
    /** What every request may take without asking, so that a health check is answered whatever others send. */
    public static final int FREE_BYTES = 16 * 1024;

    private final long bytes;
    private final AtomicLong used = new AtomicLong();
    private final AtomicLong refusals = new AtomicLong();

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
         * @throws OverBudget when all requests together would have too many: nothing more is taken then
         */
        public void take(long more) {
            long before = charged();
            taken += more;
            long charge = charged() - before;
            long now = used.addAndGet(charge);
            if (now > bytes && charge > 0) {
                long alone = charged();
                used.addAndGet(-charge);
                taken -= more;
                refusals.incrementAndGet();
                throw new OverBudget(more, now - charge, alone, bytes);
            }
        }

        /** Gives so many bytes back before the end. */
        public void giveBack(long fewer) {
            long before = charged();
            taken -= Math.min(fewer, taken);
            used.addAndGet(charged() - before);
        }

        private long charged() {
            return Math.max(0, taken - FREE_BYTES);
        }

        /** Gives all of it back. */
        @Override
        public void close() {
            giveBack(taken);
        }
    }

    public Share open() {
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
    public long refusals() {
        return refusals.get();
    }
}
