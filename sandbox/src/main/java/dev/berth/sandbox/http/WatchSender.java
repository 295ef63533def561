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
 * Sends the events of one watch to one connection, only as fast as the connection accepts them. Events that are not
 * sent yet stay in the history of the server. A slow reader whose events are compacted gets an error, or, if it does not
 * read at all, is disconnected. So a slow reader costs a bounded amount of memory. Runs on the connection's event loop.
 */
final class WatchSender {

    private static final Logger LOG = LoggerFactory.getLogger(WatchSender.class);
    private static final int MAX_BATCH = 128;
    private static final int MAX_FRAME_BYTES = 128 * 1024;
    private static final long TICK_MILLIS = 1_000;

    /** The connection that receives the events. */
    interface Sink {

        /** Whether the connection is writable. */
        boolean isWritable();

        void write(ByteBuf frames);

        /** Ends the response. */
        void end();

        /** Aborts the connection with unread data. */
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

    /** Starts to send events. */
    void start() {
        watch.onReady(this::scheduleDrain);
        drain();
    }

    /** Sends available events while the connection is writable. */
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

    /** Ends the watch. A second call has no effect. */
    void close() {
        closed = true;
        pending.clear();
        tickTask.cancel(false);
        watch.close();
    }

    /** Called by writers on their threads. One scheduled task is enough for any number of writes. */
    private void scheduleDrain() {
        if (woken.compareAndSet(false, true)) {
            try {
                loop.execute(this::drain);
            } catch (RejectedExecutionException ending) {
                // The event loop has ended, and the connection with it.
                LOG.debug("a watch missed a change because its connection ends", ending);
            }
        }
    }

    /** The next events in one buffer of limited size, but at least one event. */
    private ByteBuf nextFrames() {
        ByteBuf out = buffers.buffer(pending.size() * 1_024);
        while (!pending.isEmpty() && out.readableBytes() < MAX_FRAME_BYTES) {
            pending.removeFirst().frame().forEach(out::writeBytes);
        }
        return out;
    }
}
