package dev.berth.kubernetes.format;

import dev.berth.kubernetes.cursor.BodyReader;
import dev.berth.kubernetes.cursor.ListSink;
import dev.berth.kubernetes.cursor.ObjectSink;
import dev.berth.kubernetes.cursor.Strings;
import dev.berth.kubernetes.cursor.WatchSink;
import dev.berth.kubernetes.json.JsonCursor;
import dev.berth.kubernetes.json.JsonListReader;
import dev.berth.kubernetes.json.JsonWatchReader;
import dev.berth.kubernetes.protobuf.ProtoCursor;
import dev.berth.kubernetes.protobuf.ProtoListReader;
import dev.berth.kubernetes.protobuf.ProtoWatchReader;

/** A language in which the API server answers. */
public enum Format {
    /** Half the work for both sides. */
    PROTOBUF("application/vnd.kubernetes.protobuf") {
        @Override
        BodyReader listReader(Strings strings, ListSink sink) {
            return new ProtoListReader(strings, sink);
        }

        @Override
        BodyReader watchReader(Strings strings, WatchSink sink) {
            return new ProtoWatchReader(strings, sink);
        }

        @Override
        void readObject(Strings strings, byte[] body, ObjectSink sink) {
            sink.object(ProtoCursor.of(strings, body));
        }
    },
    /** What every server speaks. */
    JSON("application/json") {
        @Override
        BodyReader listReader(Strings strings, ListSink sink) {
            return new JsonListReader(strings, sink);
        }

        @Override
        BodyReader watchReader(Strings strings, WatchSink sink) {
            return new JsonWatchReader(strings, sink);
        }

        @Override
        void readObject(Strings strings, byte[] body, ObjectSink sink) {
            try (JsonCursor in = new JsonCursor(strings, body, 0, body.length)) {
                sink.object(in);
            }
        }
    };

    private final String mediaType;

    Format(String mediaType) {
        this.mediaType = mediaType;
    }

    /** The language of an answer with this content type; what is not protobuf must be JSON. */
    public static Format of(String contentType) {
        return contentType.startsWith(PROTOBUF.mediaType) ? PROTOBUF : JSON;
    }

    public String mediaType() {
        return mediaType;
    }

    /** What to accept of a watch. */
    public String watchMediaType() {
        return this == PROTOBUF ? mediaType + ";stream=watch" : mediaType;
    }

    abstract BodyReader listReader(Strings strings, ListSink sink);

    abstract BodyReader watchReader(Strings strings, WatchSink sink);

    abstract void readObject(Strings strings, byte[] body, ObjectSink sink);
}
