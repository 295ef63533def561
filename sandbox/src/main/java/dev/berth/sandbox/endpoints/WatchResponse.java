package dev.berth.sandbox.endpoints;

import java.time.Instant;
import java.util.List;

/**
 * A watch that goes on until it is closed or ends by itself. It is pulled: whoever holds it asks for events when it has
 * room for them, and tells it the time now and then, for bookmarks and the time limit. Not for several threads at once,
 * except {@link #close}.
 */
public non-sealed interface WatchResponse extends RestResponse, AutoCloseable {

    /** The next events, at most so many, empty when there are none yet. */
    List<EncodedWatchEvent> pull(int maxEvents);

    /** Tells the time; a bookmark may be due or the limit reached, which the next pull shows. */
    void tick(Instant now);

    /** Whether the watch has ended and everything was pulled. */
    boolean isEnded();

    /** Whether events are lost that were not pulled in time, so that the watch cannot go on. */
    boolean hasFallenBehind();

    /** Calls the listener, on any thread, whenever a pull may have become worthwhile. */
    void onReady(Runnable listener);

    @Override
    void close();

    @Override
    default int code() {
        return 200;
    }
}
