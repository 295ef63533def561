package dev.berth.kubernetes.format;

import dev.berth.kubernetes.cursor.ListSink;
import dev.berth.kubernetes.cursor.ObjectSink;
import dev.berth.kubernetes.cursor.StreamReader;
import dev.berth.kubernetes.cursor.StringInterner;
import dev.berth.kubernetes.cursor.WatchSink;

/** Creates readers that share interned strings. Not safe for several threads at once. */
public final class StreamReaders {
    private final StringInterner stringInterner = new StringInterner();

    public StreamReader listReader(WireFormat format, ListSink sink) {
        return format.listReader(stringInterner, sink);
    }

    public StreamReader watchReader(WireFormat format, WatchSink sink) {
        return format.watchReader(stringInterner, sink);
    }

    /** Reads a response that is one object. */
    public void readObject(WireFormat format, byte[] body, ObjectSink sink) {
        format.readObject(stringInterner, body, sink);
    }
}
