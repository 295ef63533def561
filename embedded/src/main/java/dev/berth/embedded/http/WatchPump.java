package dev.berth.embedded.http;

import dev.berth.embedded.rest.WatchEvent;
import dev.berth.embedded.rest.WatchStream;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves the events of one watch to one connection, as fast as the connection takes them and no faster: what is not
 * pulled stays in the server's history, and a reader that is overtaken there is told so, or, where it does not even
 * read, cut off. So a reader costs the server a bounded amount however slow it is. Lives on the connection's event loop.
 */
final class WatchPump {

    private static final Logger LOG = LoggerFactory.getLogger(WatchPump.class);
    private static final int BATCH = 128;
    private static final int BYTES_AT_ONCE = 128 * 1024;
    private static final long TICK_MILLIS = 1_000;

    /** One end of a connection. */
    interface Sink {

        /** Whether the reader has room. */
        boolean isWritable();

        void write(ByteBuf frames);

        /** No more will come. */
        void end();

        /** Ends it although what was written has not been read. */
        void abort();
    }

    private final WatchStream watch;
    private final Sink sink;
    private final EventExecutor loop;
    private final ByteBufAllocator buffers;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Deque<WatchEvent> pulled = new ArrayDeque<>();
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
                    cutOffIfHopeless();
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
            if (pulled.isEmpty()) {
                pulled.addAll(watch.pull(BATCH));
            }
            if (pulled.isEmpty()) {
                break;
            }
            sink.write(frames());
        }
        if (!closed && pulled.isEmpty() && watch.ended()) {
            close();
            sink.end();
        }
    }

    private void cutOffIfHopeless() {
        if (!closed && !sink.isWritable() && watch.overtaken()) {
            close();
            sink.abort();
        }
    }

    /** Ends the watch; a second time changes nothing. */
    void close() {
        closed = true;
        pulled.clear();
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

    /** The next events in one piece of bounded size, though at least one of them. */
    private ByteBuf frames() {
        ByteBuf out = buffers.buffer(pulled.size() * 1_024);
        while (!pulled.isEmpty() && out.readableBytes() < BYTES_AT_ONCE) {
            pulled.removeFirst().frame().forEach(out::writeBytes);
        }
        return out;
    }
}
