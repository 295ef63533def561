package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.time.TaskTimer;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs an outage of the API server once for all kinds, and its end. A failure that ends within the collection time is
 * not logged, because single connections fail regularly. Single-threaded: on the reflectors' thread.
 */
public final class OutageLog {
    static final Duration GATHER_WINDOW = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(OutageLog.class);

    private final TaskTimer timer;
    private final String server;
    private final Consumer<String> warn;
    private final Consumer<String> info;
    private final Map<String, String> errorsByKind = new TreeMap<>();
    private boolean gathering;
    private boolean outageLogged;

    OutageLog(TaskTimer timer, String server, Consumer<String> warn, Consumer<String> inform) {
        this.timer = timer;
        this.server = server;
        this.warn = warn;
        this.info = inform;
    }

    /** @param server as users know it, such as its host and port */
    public OutageLog(TaskTimer timer, String server) {
        this(timer, server, LOG::warn, LOG::info);
    }

    /** The list or watch of the kind failed because of the server. */
    void onFailure(String kind, String error) {
        errorsByKind.put(kind, error);
        if (!outageLogged && !gathering) {
            gathering = true;
            timer.schedule(GATHER_WINDOW, this::logOutage);
        }
    }

    private void logOutage() {
        gathering = false;
        if (errorsByKind.isEmpty()) {
            return;
        }
        outageLogged = true;
        String first = errorsByKind.keySet().iterator().next();
        String kinds =
                errorsByKind.size() == 1 ? "1 kind (%s)".formatted(first) : "%d kinds".formatted(errorsByKind.size());
        warn.accept("API server %s is unavailable: Berth cannot read %s and retries. The error: %s"
                .formatted(server, kinds, errorsByKind.get(first)));
    }

    /** The server answered for the kind, even with an error. */
    void onResponse(String kind) {
        if (errorsByKind.remove(kind) != null && errorsByKind.isEmpty() && outageLogged) {
            outageLogged = false;
            info.accept("API server %s is available again for all kinds".formatted(server));
        }
    }
}
