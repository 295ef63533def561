package dev.berth.kubernetes.json;

import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.cursor.ObjectReference;
import dev.berth.kubernetes.cursor.StreamReader;
import dev.berth.kubernetes.cursor.StringInterner;
import dev.berth.kubernetes.cursor.WatchSink;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Splits a JSON watch into events. A malformed event does not affect other events. */
public final class JsonWatchReader implements StreamReader, JsonSplitter.ObjectConsumer {
    private final StringInterner stringInterner;
    private final WatchSink sink;
    private final JsonSplitter splitter = JsonSplitter.forLines(this, "{\"type\":");

    public JsonWatchReader(StringInterner stringInterner, WatchSink sink) {
        this.stringInterner = stringInterner;
        this.sink = sink;
    }

    @Override
    public void read(ByteBuffer piece) {
        splitter.read(piece);
    }

    /** A watch may end anywhere: an incomplete event comes again when the watch is resumed. */
    @Override
    public void end() {}

    @Override
    public boolean wants(int depth, String key) {
        return depth == 0;
    }

    @Override
    public void accept(String key, byte[] array, int from, int to) {
        WatchEventScanner span = WatchEventScanner.scan(array, from, to);
        if (!span.hasObject()) {
            String problem = "malformed watch: event (%s) has no object".formatted(span.type());
            sink.onUnreadableEvent(span.type(), ObjectReference.UNKNOWN, problem);
            return;
        }
        openObject(array, span).ifPresent(in -> {
            try (in) {
                sink.onEvent(span.type(), in);
            }
        });
    }

    private Optional<JsonCursor> openObject(byte[] array, WatchEventScanner span) {
        try {
            return Optional.of(new JsonCursor(stringInterner, array, span.objectFrom(), span.objectTo()));
        } catch (MalformedObjectException malformed) {
            ObjectReference objectReference =
                    LenientJsonReader.readObjectReference(array, span.objectFrom(), span.objectTo());
            sink.onUnreadableEvent(span.type(), objectReference, String.valueOf(malformed.getMessage()));
            return Optional.empty();
        }
    }
}
