package dev.berth.kubernetes.leaderelection;

import java.util.function.Consumer;
import org.slf4j.Logger;

/**
 * Logs an error of a Lease once until it changes, because the request is repeated every few seconds. Also logs the
 * recovery.
 */
final class LeaseErrorLog {
    private final LogSink logSink;
    private String lastLogged = "";

    /** Receives the lines of the log. */
    record LogSink(Consumer<String> warn, Consumer<String> info) {
        static LogSink of(Logger log) {
            return new LogSink(log::warn, log::info);
        }
    }

    LeaseErrorLog(LogSink logSink) {
        this.logSink = logSink;
    }

    /** Returns whether the message is new. */
    boolean logIfNew(String message) {
        boolean isNew = !message.equals(lastLogged);
        if (isNew) {
            lastLogged = message;
            logSink.warn.accept(message);
        }
        return isNew;
    }

    /** Returns whether there was an error. */
    boolean logRecovery(String message) {
        boolean isNew = !lastLogged.isEmpty();
        if (isNew) {
            lastLogged = "";
            logSink.info.accept(message);
        }
        return isNew;
    }
}
