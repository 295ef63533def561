package dev.berth.sandbox.endpoints.handlers.read;

import dev.berth.sandbox.endpoints.EncodedWatchEvent;
import dev.berth.sandbox.endpoints.WatchResponse;
import java.time.Instant;
import java.util.List;

/** A watch that failed to start: one error event, and then the end. */
final class ErrorWatchResponse implements WatchResponse {

    private final String contentType;
    private final EncodedWatchEvent error;
    private boolean sent;

    ErrorWatchResponse(String contentType, EncodedWatchEvent error) {
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
    public List<EncodedWatchEvent> pull(int limit) {
        if (sent) {
            return List.of();
        }
        sent = true;
        return List.of(error);
    }

    @Override
    public void tick(Instant now) {}

    @Override
    public boolean isEnded() {
        return sent;
    }

    @Override
    public boolean hasFallenBehind() {
        return false;
    }

    @Override
    public void onReady(Runnable listener) {
        listener.run();
    }

    @Override
    public void close() {
        sent = true;
    }
}
