package dev.berth.kubernetes.json;

import dev.berth.kubernetes.cursor.BodyReader;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.cursor.Strings;
import dev.berth.kubernetes.cursor.WatchSink;
import java.nio.ByteBuffer;

/** Takes a watch in JSON apart: one event after the other. */
public final class JsonWatchReader implements BodyReader, JsonSplitter.Wanted {
    private static final FieldNames TYPE = FieldNames.none().with(1, "type");
    private static final FieldNames OBJECT = FieldNames.none().with(2, "object");

    private final Strings strings;
    private final WatchSink sink;
    private final JsonSplitter splitter = new JsonSplitter(this);

    public JsonWatchReader(Strings strings, WatchSink sink) {
        this.strings = strings;
        this.sink = sink;
    }

    @Override
    public void read(ByteBuffer piece) {
        splitter.read(piece);
    }

    /** A watch may end anywhere: what is cut off comes again when it is resumed. */
    @Override
    public void end() {}

    @Override
    public boolean wants(int depth, String key) {
        return depth == 0;
    }

    /** Read twice, because the type may stand behind the object. */
    @Override
    public void object(String key, byte[] array, int from, int to) {
        String type = "";
        try (JsonCursor in = new JsonCursor(strings, array, from, to)) {
            while (in.next(TYPE) != 0) {
                type = in.text();
            }
        }
        try (JsonCursor in = new JsonCursor(strings, array, from, to)) {
            if (in.next(OBJECT) == 0) {
                throw new MalformedObject("malformed watch: an event (%s) without an object".formatted(type));
            }
            in.enter();
            sink.event(type, in);
        }
    }
}
