package dev.berth.kubernetes.json;

import dev.berth.kubernetes.cursor.BodyReader;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.ListSink;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.cursor.Strings;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Takes a list in JSON apart. */
public final class JsonListReader implements BodyReader, JsonSplitter.Wanted {
    private static final FieldNames METADATA =
            FieldNames.none().with(2, "resourceVersion").with(3, "continue");

    private final Strings strings;
    private final ListSink sink;
    private final JsonSplitter splitter = new JsonSplitter(this);

    public JsonListReader(Strings strings, ListSink sink) {
        this.strings = strings;
        this.sink = sink;
    }

    @Override
    public void read(ByteBuffer piece) {
        splitter.read(piece);
    }

    @Override
    public void end() {
        if (!splitter.atRest()) {
            throw new MalformedObject("the list broke off");
        }
    }

    @Override
    public boolean wants(int depth, String key) {
        return key.equals("items") ? depth == 2 : depth == 1 && key.equals("metadata");
    }

    @Override
    public void object(String key, byte[] array, int from, int to) {
        if (key.equals("items")) {
            open(array, from, to).ifPresent(in -> {
                try (in) {
                    sink.item(in);
                }
            });
            return;
        }
        try (JsonCursor in = new JsonCursor(strings, array, from, to)) {
            metadata(in);
        }
    }

    private Optional<JsonCursor> open(byte[] array, int from, int to) {
        try {
            return Optional.of(new JsonCursor(strings, array, from, to));
        } catch (MalformedObject malformed) {
            sink.unreadable(Salvage.identity(array, from, to), String.valueOf(malformed.getMessage()));
            return Optional.empty();
        }
    }

    private void metadata(JsonCursor in) {
        String version = "";
        String continueToken = "";
        for (int at = in.next(METADATA); at != 0; at = in.next(METADATA)) {
            if (at == 2) {
                version = in.ownText();
            } else {
                continueToken = in.ownText();
            }
        }
        sink.list(version, continueToken);
    }
}
