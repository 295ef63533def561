package dev.berth.kubernetes.protobuf;

import dev.berth.kubernetes.cursor.BodyReader;
import dev.berth.kubernetes.cursor.ByteQueue;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.Identity;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.cursor.Strings;
import dev.berth.kubernetes.cursor.WatchSink;
import java.nio.ByteBuffer;

/** Takes a watch in protobuf apart: frames with their length before them, in each the event and its object. */
public final class ProtoWatchReader implements BodyReader {
    private static final int PREFIX = 4;
    private static final int LONGEST_FRAME = 64 * 1024 * 1024;
    private static final FieldNames NO_NAMES = FieldNames.none();

    private final WatchSink sink;
    private final ByteQueue queue = new ByteQueue();
    private final ProtoCursor cursor;

    public ProtoWatchReader(Strings strings, WatchSink sink) {
        this.sink = sink;
        this.cursor = new ProtoCursor(strings);
    }

    @Override
    public void read(ByteBuffer piece) {
        queue.append(piece);
        while (queue.size() >= PREFIX) {
            int length = length();
            if (queue.size() < PREFIX + length) {
                return;
            }
            int from = queue.from() + PREFIX;
            event(queue.array(), from, from + length);
            queue.use(PREFIX + length);
        }
    }

    /** A watch may end anywhere: what is cut off comes again when it is resumed. */
    @Override
    public void end() {}

    private int length() {
        byte[] array = queue.array();
        int from = queue.from();
        int length = ((array[from] & 0xff) << 24)
                | ((array[from + 1] & 0xff) << 16)
                | ((array[from + 2] & 0xff) << 8)
                | (array[from + 3] & 0xff);
        if (length < 0 || length > LONGEST_FRAME) {
            throw new MalformedObject("malformed watch: a frame of %d bytes".formatted(length));
        }
        return length;
    }

    /** The frame's length is known, so that whatever is malformed within it costs this event alone. */
    private void event(byte[] array, int from, int to) {
        Frame frame = new Frame(to);
        Cursor object;
        try {
            frame.read(cursor.over(array, from, to));
            object = Envelope.open(cursor, array, frame.rawFrom, frame.rawTo);
        } catch (MalformedObject malformed) {
            sink.unreadable(frame.type, Identity.UNKNOWN, String.valueOf(malformed.getMessage()));
            return;
        }
        sink.event(frame.type, object);
    }

    private static final class Frame {
        private String type = "";
        private int rawFrom;
        private int rawTo;

        private Frame(int end) {
            rawFrom = end;
            rawTo = end;
        }

        private void read(ProtoCursor in) {
            for (int field = in.next(NO_NAMES); field != 0; field = in.next(NO_NAMES)) {
                switch (field) {
                    case 1 -> type = in.text();
                    case 2 -> {
                        in.enter();
                        for (int inner = in.next(NO_NAMES); inner != 0; inner = in.next(NO_NAMES)) {
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
