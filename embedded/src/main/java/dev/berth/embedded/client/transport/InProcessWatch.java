package dev.berth.embedded.client.transport;

import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** A watch of the embedded server, pulled by whoever polls. */
final class InProcessWatch implements WatchStream {
    private static final int PULLED_AT_ONCE = 256;

    private final dev.berth.embedded.rest.WatchStream stream;
    private final InstantSource clock;
    private final Deque<dev.berth.embedded.rest.WatchEvent> pulled = new ArrayDeque<>();

    InProcessWatch(dev.berth.embedded.rest.WatchStream stream, InstantSource clock, Runnable arrived) {
        this.stream = stream;
        this.clock = clock;
        stream.onReady(arrived);
    }

    @Override
    public Optional<WatchEvent> poll() {
        if (pulled.isEmpty()) {
            stream.tick(clock.instant());
            pulled.addAll(stream.pull(PULLED_AT_ONCE));
        }
        return Optional.ofNullable(pulled.poll()).map(event -> new WatchEvent(type(event.type()), event.object()));
    }

    private static WatchEvent.Type type(dev.berth.embedded.rest.WatchEvent.Type type) {
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
        return pulled.isEmpty() && stream.ended();
    }

    @Override
    public void close() {
        pulled.clear();
        stream.close();
    }
}
