package dev.berth.sandbox.client.transport;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** A watch that the server rejected: its only event is the Status of the error. */
final class RejectedWatch implements WatchStream {
    private Optional<WatchEvent> refusal;

    RejectedWatch(ObjectNode status) {
        this.refusal = Optional.of(new WatchEvent(WatchEvent.Type.ERROR, status));
    }

    @Override
    public Optional<WatchEvent> poll() {
        Optional<WatchEvent> next = refusal;
        refusal = Optional.empty();
        return next;
    }

    @Override
    public boolean ended() {
        return refusal.isEmpty();
    }

    @Override
    public void close() {
        refusal = Optional.empty();
    }
}
