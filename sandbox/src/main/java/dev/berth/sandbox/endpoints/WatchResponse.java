package dev.berth.sandbox.endpoints;

import java.time.Instant;
import java.util.List;

/**
 * A watch, until it is closed or ends by itself. The reader pulls events when it has
 * room for them, and passes the time now and then, for bookmarks and the timeout. Not safe for several threads at once,
 * except {@link #close}.
 */
public non-sealed interface WatchResponse extends RestResponse, AutoCloseable {

    /** The next events, at most that many; empty when there are none yet. */
    List<EncodedWatchEvent> pull(int maxEvents);

    /** Passes the time. A bookmark may be due or the timeout reached; the next pull shows it. */
    void tick(Instant now);

    /** Whether the watch has ended and everything was pulled. */
    boolean isEnded();

    /** Whether events were compacted before they were pulled, so that the watch must end. */
    boolean hasFallenBehind();

    /** Calls the listener, on any thread, when new events may be available. */
    void onReady(Runnable listener);

    @Override
    void close();

    @Override
    default int code() {
        return 200;
    }
}
