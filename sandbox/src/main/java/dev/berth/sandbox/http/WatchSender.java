package dev.berth.sandbox.http;

import dev.berth.sandbox.endpoints.EncodedWatchEvent;
import dev.berth.sandbox.endpoints.WatchResponse;
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
final class WatchSender {

    private static final Logger LOG = LoggerFactory.getLogger(WatchSender.class);
    private static final int MAX_BATCH = 128;
    private static final int MAX_FRAME_BYTES = 128 * 1024;
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

    private final WatchResponse watch;
    private final Sink sink;
    private final EventExecutor loop;
    private final ByteBufAllocator buffers;
    private final AtomicBoolean woken = new AtomicBoolean();
    private final Deque<EncodedWatchEvent> pending = new ArrayDeque<>();
    private final Future<?> tickTask;
    private boolean closed;

    WatchSender(WatchResponse watch, Sink sink, EventExecutor loop, ByteBufAllocator buffers, InstantSource clock) {
        this.watch = watch;
        this.sink = sink;
        this.loop = loop;
        this.buffers = buffers;
        this.tickTask = loop.scheduleAtFixedRate(
                () -> {
                    watch.tick(clock.instant());
                    drain();
                    abortIfBehind();
                },
                TICK_MILLIS,
                TICK_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    /** Begins to move events. */
    void start() {
        watch.onReady(this::scheduleDrain);
        drain();
    }

    /** Moves what there is, as far as there is room. */
    void drain() {
        woken.set(false);
        while (!closed && sink.isWritable()) {
            if (pending.isEmpty()) {
                pending.addAll(watch.pull(MAX_BATCH));
            }
            if (pending.isEmpty()) {
                break;
            }
            sink.write(nextFrames());
        }
        if (!closed && pending.isEmpty() && watch.isEnded()) {
            close();
            sink.end();
        }
    }

    private void abortIfBehind() {
        if (!closed && !sink.isWritable() && watch.hasFallenBehind()) {
            close();
            sink.abort();
        }
    }

    /** Ends the watch; a second time changes nothing. */
    void close() {
        closed = true;
        pending.clear();
        tickTask.cancel(false);
        watch.close();
    }

    /** Called by writers on their threads: one task is enough however many writes come before it runs. */
    private void scheduleDrain() {
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
    private ByteBuf nextFrames() {
        ByteBuf out = buffers.buffer(pending.size() * 1_024);
        while (!pending.isEmpty() && out.readableBytes() < MAX_FRAME_BYTES) {
            pending.removeFirst().frame().forEach(out::writeBytes);
        }
        return out;
    }
}
