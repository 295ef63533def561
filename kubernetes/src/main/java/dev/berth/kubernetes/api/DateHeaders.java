package dev.berth.kubernetes.api;

import dev.berth.kubernetes.http2.Head;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands on what the Date headers of answers say, of a few each second: more tell nothing new. */
final class DateHeaders {
    private static final Logger LOG = LoggerFactory.getLogger(DateHeaders.class);
    private static final long AT_MOST_EVERY = 100_000_000L;

    private volatile Optional<AnswerTimes> listener = Optional.empty();
    private final AtomicLong next = new AtomicLong(Long.MIN_VALUE);

    void listenedToBy(AnswerTimes whom) {
        next.set(whom.tick());
        listener = Optional.of(whom);
    }

    /** The tick at which a request is sent. */
    long sent() {
        return listener.map(AnswerTimes::tick).orElse(0L);
    }

    void answered(long sent, Head head) {
        AnswerTimes whom = listener.orElse(null);
        if (whom == null || sent == 0) {
            return;
        }
        long came = whom.tick();
        long due = next.get();
        if (came - due < 0 || !next.compareAndSet(due, came + AT_MOST_EVERY)) {
            return;
        }
        head.header("date").flatMap(DateHeaders::parse).ifPresent(date -> whom.answered(sent, came, date));
    }

    private static Optional<Instant> parse(String date) {
        try {
            return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from));
        } catch (DateTimeException malformed) {
            LOG.debug("date ({}) is none", date, malformed);
            return Optional.empty();
        }
    }
}
