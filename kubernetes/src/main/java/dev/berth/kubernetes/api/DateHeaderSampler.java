package dev.berth.kubernetes.api;

import dev.berth.kubernetes.http2.ResponseHead;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes the Date headers of a few responses each second to the listener: more of them contain nothing new. */
final class DateHeaderSampler {
    private static final Logger LOG = LoggerFactory.getLogger(DateHeaderSampler.class);
    private static final long SAMPLE_INTERVAL_NANOS = 100_000_000L;

    private volatile Optional<ServerDateListener> listener = Optional.empty();
    private final AtomicLong nextSampleNanos = new AtomicLong(Long.MIN_VALUE);

    void setListener(ServerDateListener target) {
        nextSampleNanos.set(target.nanoTime());
        listener = Optional.of(target);
    }

    /** The tick at which a request is sent. */
    long sentNanos() {
        return listener.map(ServerDateListener::nanoTime).orElse(0L);
    }

    void onResponse(long sent, ResponseHead head) {
        ServerDateListener target = listener.orElse(null);
        if (target == null || sent == 0) {
            return;
        }
        long receivedNanos = target.nanoTime();
        long due = nextSampleNanos.get();
        if (receivedNanos - due < 0 || !nextSampleNanos.compareAndSet(due, receivedNanos + SAMPLE_INTERVAL_NANOS)) {
            return;
        }
        head.header("date")
                .flatMap(DateHeaderSampler::parse)
                .ifPresent(date -> target.onResponse(sent, receivedNanos, date));
    }

    private static Optional<Instant> parse(String date) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from));
        } catch (DateTimeException malformed) {
            LOG.debug("the Date header ({}) is not a valid date", date, malformed);
            return Optional.empty();
        }
    }
}
