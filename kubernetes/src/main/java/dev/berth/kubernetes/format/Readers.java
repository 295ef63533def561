package dev.berth.kubernetes.format;

import dev.berth.kubernetes.cursor.BodyReader;
import dev.berth.kubernetes.cursor.ListSink;
import dev.berth.kubernetes.cursor.ObjectSink;
import dev.berth.kubernetes.cursor.Strings;
import dev.berth.kubernetes.cursor.WatchSink;

/** Makes readers that share their strings. Not safe for several threads at once. */
public final class Readers {
    private final Strings strings = new Strings();

    public BodyReader list(Format format, ListSink sink) {
        return format.listReader(strings, sink);
    }

    public BodyReader watch(Format format, WatchSink sink) {
        return format.watchReader(strings, sink);
    }

    /** Reads an answer that is one object. */
    public void object(Format format, byte[] body, ObjectSink sink) {
        format.readObject(strings, body, sink);
    }
}
