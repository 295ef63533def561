package dev.berth.kubernetes.leaderelection;

import java.util.function.Consumer;
import org.slf4j.Logger;

/** Logs what is the matter with a Lease: once until something else is, as it is tried every few seconds, and its end. */
final class LeaseErrorLog {
    private final LogSink logSink;
    private String lastLogged = "";

    /** Where the log's lines go. */
    record LogSink(Consumer<String> warn, Consumer<String> info) {
        static LogSink of(Logger log) {
            return new LogSink(log::warn, log::info);
        }
    }

    LeaseErrorLog(LogSink logSink) {
        this.logSink = logSink;
    }

    /** Says whether this is new. */
    boolean logIfNew(String message) {
        boolean isNew = !message.equals(lastLogged);
        if (isNew) {
            lastLogged = message;
            logSink.warn.accept(message);
        }
        return isNew;
    }

    /** Says whether there was any. */
    boolean logRecovery(String message) {
        boolean isNew = !lastLogged.isEmpty();
        if (isNew) {
            lastLogged = "";
            logSink.info.accept(message);
        }
        return isNew;
    }
}
