package dev.berth.sandbox.client.transport;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** A watch of a server in the same process; the caller polls it. */
final class InProcessWatch implements WatchStream {
    private static final int BATCH_SIZE = 256;

    private final dev.berth.sandbox.endpoints.WatchResponse stream;
    private final InstantSource clock;
    private final Deque<dev.berth.sandbox.endpoints.EncodedWatchEvent> pulled = new ArrayDeque<>();

    InProcessWatch(dev.berth.sandbox.endpoints.WatchResponse stream, InstantSource clock, Runnable onAvailable) {
        this.stream = stream;
        this.clock = clock;
        stream.onReady(onAvailable);
    }

    @Override
    public Optional<WatchEvent> poll() {
        if (pulled.isEmpty()) {
            stream.tick(clock.instant());
            pulled.addAll(stream.pull(BATCH_SIZE));
        }
        return Optional.ofNullable(pulled.poll()).map(event -> new WatchEvent(type(event.type()), event.object()));
    }

    private static WatchEvent.Type type(dev.berth.sandbox.endpoints.EncodedWatchEvent.Type type) {
        return switch (type) {
            case ADDED -> WatchEvent.Type.ADDED;
            case MODIFIED -> WatchEvent.Type.MODIFIED;
            case DELETED -> WatchEvent.Type.DELETED;
            case BOOKMARK -> WatchEvent.Type.BOOKMARK;
            case ERROR -> WatchEvent.Type.ERROR;
        };
    }

    @Override
    public boolean ended() {
        return pulled.isEmpty() && stream.isEnded();
    }

    @Override
    public void close() {
        pulled.clear();
        stream.close();
    }
}
