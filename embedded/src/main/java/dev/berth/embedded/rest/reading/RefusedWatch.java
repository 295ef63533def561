package dev.berth.embedded.rest.reading;

import dev.berth.embedded.rest.WatchEvent;
import dev.berth.embedded.rest.WatchStream;
import java.time.Instant;
import java.util.List;

/** A watch that could not begin: it says why, as an event, and ends. */
final class RefusedWatch implements WatchStream {

    private final String contentType;
    private final WatchEvent error;
    private boolean told;

    RefusedWatch(String contentType, WatchEvent error) {
        this.contentType = contentType;
        this.error = error;
    }

    @Override
    public String contentType() {
        return contentType;
    }

    @Override
    public List<String> warnings() {
        return List.of();
    }

    @Override
    public List<WatchEvent> pull(int most) {
        if (told) {
            return List.of();
        }
        told = true;
        return List.of(error);
    }

    @Override
    public void tick(Instant now) {}

    @Override
    public boolean ended() {
        return told;
    }

    @Override
    public boolean overtaken() {
        return false;
    }

    @Override
    public void onReady(Runnable listener) {
        listener.run();
    }

    @Override
    public void close() {
        told = true;
    }
}
