package dev.berth.kubernetes.json;

import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.ListSink;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.cursor.StreamReader;
import dev.berth.kubernetes.cursor.StringInterner;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Splits a JSON list into its items. */
public final class JsonListReader implements StreamReader, JsonSplitter.ObjectConsumer {
    private static final FieldNames METADATA =
            FieldNames.none().with(2, "resourceVersion").with(3, "continue");

    private final StringInterner stringInterner;
    private final ListSink sink;
    private final JsonSplitter splitter = new JsonSplitter(this);

    public JsonListReader(StringInterner stringInterner, ListSink sink) {
        this.stringInterner = stringInterner;
        this.sink = sink;
    }

    @Override
    public void read(ByteBuffer piece) {
        splitter.read(piece);
    }

    @Override
    public void end() {
        if (!splitter.isComplete()) {
            throw new MalformedObjectException("the list ended early");
        }
    }

    @Override
    public boolean wants(int depth, String key) {
        return key.equals("items") ? depth == 2 : depth == 1 && key.equals("metadata");
    }

    @Override
    public void accept(String key, byte[] array, int from, int to) {
        if (key.equals("items")) {
            openItem(array, from, to).ifPresent(in -> {
                try (in) {
                    sink.onItem(in);
                }
            });
            return;
        }
        try (JsonCursor in = new JsonCursor(stringInterner, array, from, to)) {
            metadata(in);
        }
    }

    private Optional<JsonCursor> openItem(byte[] array, int from, int to) {
        try {
            return Optional.of(new JsonCursor(stringInterner, array, from, to));
        } catch (MalformedObjectException malformed) {
            sink.onUnreadableItem(
                    LenientJsonReader.readObjectReference(array, from, to), String.valueOf(malformed.getMessage()));
            return Optional.empty();
        }
    }

    private void metadata(JsonCursor in) {
        String version = "";
        String continueToken = "";
        for (int at = in.nextField(METADATA); at != 0; at = in.nextField(METADATA)) {
            if (at == 2) {
                version = in.uninternedText();
            } else {
                continueToken = in.uninternedText();
            }
        }
        sink.onListMeta(version, continueToken);
    }
}
