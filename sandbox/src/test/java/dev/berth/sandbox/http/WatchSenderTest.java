package dev.berth.sandbox.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.berth.sandbox.endpoints.EncodedWatchEvent;
import dev.berth.sandbox.endpoints.WatchResponse;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WatchSenderTest {

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final Endless watch = new Endless();
    private final Reader reader = new Reader();
    private final WatchSender pump =
            new WatchSender(watch, reader, channel.eventLoop(), channel.alloc(), InstantSource.fixed(Instant.EPOCH));

    @Test
    void aBlockedClientIsKeptWhileTheHistoryStillHasItsEvents() {
        pump.start();

        tick();

        assertThat(reader.aborted).isFalse();
        assertThat(watch.closed).isFalse();
        pump.close();
    }

    @Test
    void aBlockedClientIsDisconnectedOnceItFallsBehindTheHistory() {
        pump.start();
        watch.overtaken = true;

        tick();

        assertThat(reader.aborted).isTrue();
        assertThat(watch.closed).isTrue();
        tick();
        assertThat(reader.written).hasSize(1);
    }

    @Test
    void aFrameIsNotMuchLargerThanOneLargeEvent() {
        watch.eventSize = 1_000_000;
        reader.room = 3;

        pump.start();

        assertThat(reader.written).containsExactly(1_000_000, 1_000_000, 1_000_000);
        pump.close();
    }

    @Test
    void smallEventsShareAFrame() {
        watch.eventSize = 100;

        pump.start();

        assertThat(reader.written).containsExactly(12_800);
        pump.close();
    }

    private void tick() {
        channel.advanceTimeBy(1, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
    }

    /** Has always more to tell. */
    private static final class Endless implements WatchResponse {

        private int eventSize = 10;
        private boolean overtaken;
        private boolean closed;

        @Override
        public List<EncodedWatchEvent> pull(int most) {
            byte[] frame = new byte[eventSize];
            List<EncodedWatchEvent> events = new ArrayList<>();
            for (int i = 0; i < most; i++) {
                events.add(new EncodedWatchEvent(
                        EncodedWatchEvent.Type.ADDED, JsonNodeFactory.instance::objectNode, () -> List.of(frame)));
            }
            return events;
        }

        @Override
        public void tick(Instant now) {}

        @Override
        public boolean isEnded() {
            return false;
        }

        @Override
        public boolean hasFallenBehind() {
            return overtaken;
        }

        @Override
        public void onReady(Runnable listener) {}

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public String contentType() {
            return "application/json";
        }

        @Override
        public List<String> warnings() {
            return List.of();
        }
    }

    /** Has room for so many pieces and then never again. */
    private static final class Reader implements WatchSender.Sink {

        private final List<Integer> written = new ArrayList<>();
        private int room = 1;
        private boolean aborted;

        @Override
        public boolean isWritable() {
            return written.size() < room;
        }

        @Override
        public void write(ByteBuf frames) {
            written.add(frames.readableBytes());
            frames.release();
        }

        @Override
        public void end() {
            throw new AssertionError("an endless watch does not end");
        }

        @Override
        public void abort() {
            aborted = true;
        }
    }
}
