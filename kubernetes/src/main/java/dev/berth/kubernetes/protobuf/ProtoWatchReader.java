package dev.berth.kubernetes.protobuf;

import dev.berth.kubernetes.cursor.ByteQueue;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.cursor.ObjectReference;
import dev.berth.kubernetes.cursor.StreamReader;
import dev.berth.kubernetes.cursor.StringInterner;
import dev.berth.kubernetes.cursor.WatchSink;
import java.nio.ByteBuffer;

/** Splits a protobuf watch into frames with a length prefix. Each frame contains the event and its object. */
public final class ProtoWatchReader implements StreamReader {
    private static final int LENGTH_PREFIX_BYTES = 4;
    private static final int MAX_FRAME_BYTES = 64 * 1024 * 1024;
    private static final FieldNames NO_NAMES = FieldNames.none();

    private final WatchSink sink;
    private final ByteQueue queue = new ByteQueue();
    private final ProtoCursor cursor;

    public ProtoWatchReader(StringInterner stringInterner, WatchSink sink) {
        this.sink = sink;
        this.cursor = new ProtoCursor(stringInterner);
    }

    @Override
    public void read(ByteBuffer piece) {
        queue.append(piece);
        while (queue.size() >= LENGTH_PREFIX_BYTES) {
            int length = readFrameLength();
            if (queue.size() < LENGTH_PREFIX_BYTES + length) {
                return;
            }
            int from = queue.from() + LENGTH_PREFIX_BYTES;
            readFrame(queue.array(), from, from + length);
            queue.consume(LENGTH_PREFIX_BYTES + length);
        }
    }

    /** A watch may end anywhere: an incomplete event comes again when the watch is resumed. */
    @Override
    public void end() {}

    private int readFrameLength() {
        byte[] array = queue.array();
        int from = queue.from();
        int length = ((array[from] & 0xff) << 24)
                | ((array[from + 1] & 0xff) << 16)
                | ((array[from + 2] & 0xff) << 8)
                | (array[from + 3] & 0xff);
        if (length < 0 || length > MAX_FRAME_BYTES) {
            throw new MalformedObjectException("malformed watch: the frame has %d bytes".formatted(length));
        }
        return length;
    }

    /** The frame's length is known, so malformed content affects only this event. */
    private void readFrame(byte[] array, int from, int to) {
        WatchFrame frame = new WatchFrame(to);
        Cursor object;
        try {
            frame.read(cursor.reset(array, from, to));
            object = ProtoEnvelope.open(cursor, array, frame.rawFrom, frame.rawTo);
        } catch (MalformedObjectException malformed) {
            sink.onUnreadableEvent(frame.type, ObjectReference.UNKNOWN, String.valueOf(malformed.getMessage()));
            return;
        }
        sink.onEvent(frame.type, object);
    }

    private static final class WatchFrame {
        private String type = "";
        private int rawFrom;
        private int rawTo;

        private WatchFrame(int end) {
            rawFrom = end;
            rawTo = end;
        }

        private void read(ProtoCursor in) {
            for (int field = in.nextField(NO_NAMES); field != 0; field = in.nextField(NO_NAMES)) {
                switch (field) {
                    case 1 -> type = in.text();
                    case 2 -> {
                        in.enter();
                        for (int inner = in.nextField(NO_NAMES); inner != 0; inner = in.nextField(NO_NAMES)) {
                            if (inner == 1) {
                                in.enter();
                                rawFrom = in.position();
                                rawTo = in.limit();
                                in.leave();
                            } else {
                                in.skip();
                            }
                        }
                        in.leave();
                    }
                    default -> in.skip();
                }
            }
        }
    }
}
