package dev.berth.kubernetes.json;

import dev.berth.kubernetes.cursor.BodyReader;
import dev.berth.kubernetes.cursor.Identity;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.cursor.Strings;
import dev.berth.kubernetes.cursor.WatchSink;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Takes a watch in JSON apart: one event after the other. An event that is malformed costs itself alone. */
public final class JsonWatchReader implements BodyReader, JsonSplitter.Wanted {
    private final Strings strings;
    private final WatchSink sink;
    private final JsonSplitter splitter = JsonSplitter.ofLines(this, "{\"type\":");

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

    @Override
    public void object(String key, byte[] array, int from, int to) {
        EventSpan span = EventSpan.of(array, from, to);
        if (!span.hasObject()) {
            String problem = "malformed watch: an event (%s) without an object".formatted(span.type());
            sink.unreadable(span.type(), Identity.UNKNOWN, problem);
            return;
        }
        open(array, span).ifPresent(in -> {
            try (in) {
                sink.event(span.type(), in);
            }
        });
    }

    private Optional<JsonCursor> open(byte[] array, EventSpan span) {
        try {
            return Optional.of(new JsonCursor(strings, array, span.objectFrom(), span.objectTo()));
        } catch (MalformedObject malformed) {
            Identity identity = Salvage.identity(array, span.objectFrom(), span.objectTo());
            sink.unreadable(span.type(), identity, String.valueOf(malformed.getMessage()));
            return Optional.empty();
        }
    }
}
