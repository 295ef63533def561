package dev.berth.embedded.http;

import dev.berth.embedded.rest.WatchEvent;
import dev.berth.embedded.rest.WatchStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the events of one watch to one connection, as fast as the connection takes them and no faster: what is not
 * pulled stays in the server's history, and a reader that is overtaken there is told so and cut off. Lives on the
 * connection's event loop.
 */
final class WatchPump {

    private static final Logger LOG = LoggerFactory.getLogger(WatchPump.class);
    private static final int BATCH = 128;
    private static final long TICK_MILLIS = 1_000;

    /** One end of a connection. */
    interface Sink {

        /** Whether the reader has room. */
        boolean isWritable();

        void write(ByteBuf frames);

        /** No more will come. */
        void end();
    }

    private final WatchStream watch;
    private final Sink sink;
    private final EventExecutor loop;
    private final ByteBufAllocator buffers;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Future<?> ticking;
    private boolean closed;

    WatchPump(WatchStream watch, Sink sink, EventExecutor loop, ByteBufAllocator buffers, InstantSource clock) {
        this.watch = watch;
        this.sink = sink;
        this.loop = loop;
        this.buffers = buffers;
        this.ticking = loop.scheduleAtFixedRate(
                () -> {
                    watch.tick(clock.instant());
                    drain();
                },
                TICK_MILLIS,
                TICK_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    /** Begins to move events. */
    void start() {
        watch.onReady(this::wake);
        drain();
    }

    /** Moves what there is, as far as there is room. */
    void drain() {
        woken.set(false);
        while (!closed && sink.isWritable()) {
            List<WatchEvent> events = watch.pull(BATCH);
            if (events.isEmpty()) {
                break;
            }
            sink.write(frames(events));
        }
        if (!closed && watch.ended()) {
            close();
            sink.end();
        }
    }

    /** Ends the watch; a second time changes nothing. */
    void close() {
        closed = true;
        ticking.cancel(false);
        watch.close();
    }

    /** Called by writers on their threads: one task is enough however many writes come before it runs. */
    private void wake() {
        if (woken.compareAndSet(false, true)) {
            try {
                loop.execute(this::drain);
            } catch (RejectedExecutionException ending) {
                // The loop ended, and with it the connection: nobody is left to tell.
                LOG.debug("a watch missed a change because its connection ends", ending);
            }
        }
    }

    private ByteBuf frames(List<WatchEvent> events) {
        ByteBuf out = buffers.buffer(events.size() * 1_024);
        for (WatchEvent event : events) {
            event.frame().forEach(out::writeBytes);
        }
        return out;
    }
}
