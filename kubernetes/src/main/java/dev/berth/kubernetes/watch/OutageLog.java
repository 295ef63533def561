package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.time.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs an outage of the API server once for all kinds that wait for it, and its end. A failure that is over within the
 * time in which the kinds are gathered is not worth a line: connections end. Single-threaded: on the reflectors' thread.
 */
public final class OutageLog {
    static final Duration GATHER = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(OutageLog.class);

    private final Timer timer;
    private final String server;
    private final Consumer<String> warn;
    private final Consumer<String> inform;
    private final Map<String, String> waiting = new TreeMap<>();
    private boolean gathering;
    private boolean told;

    OutageLog(Timer timer, String server, Consumer<String> warn, Consumer<String> inform) {
        this.timer = timer;
        this.server = server;
        this.warn = warn;
        this.inform = inform;
    }

    /** @param server as people know it, such as its host and port */
    public OutageLog(Timer timer, String server) {
        this(timer, server, LOG::warn, LOG::info);
    }

    /** The list or watch of the kind failed because of the server. */
    void failed(String kind, String error) {
        waiting.put(kind, error);
        if (!told && !gathering) {
            gathering = true;
            timer.after(GATHER, this::tell);
        }
    }

    private void tell() {
        gathering = false;
        if (waiting.isEmpty()) {
            return;
        }
        told = true;
        String first = waiting.keySet().iterator().next();
        String kinds = waiting.size() == 1 ? "1 kind (%s)".formatted(first) : "%d kinds".formatted(waiting.size());
        warn.accept("API server %s fails: Berth cannot read %s, and tries again until it can. The error: %s"
                .formatted(server, kinds, waiting.get(first)));
    }

    /** The server answered for the kind, be it with a refusal. */
    void answered(String kind) {
        if (waiting.remove(kind) != null && waiting.isEmpty() && told) {
            told = false;
            inform.accept("API server %s answers again for all kinds".formatted(server));
        }
    }
}
