package dev.berth.kubernetes.format;

import dev.berth.kubernetes.cursor.ListSink;
import dev.berth.kubernetes.cursor.ObjectSink;
import dev.berth.kubernetes.cursor.StreamReader;
import dev.berth.kubernetes.cursor.StringInterner;
import dev.berth.kubernetes.cursor.WatchSink;
import dev.berth.kubernetes.json.JsonCursor;
import dev.berth.kubernetes.json.JsonListReader;
import dev.berth.kubernetes.json.JsonWatchReader;
import dev.berth.kubernetes.protobuf.ProtoCursor;
import dev.berth.kubernetes.protobuf.ProtoListReader;
import dev.berth.kubernetes.protobuf.ProtoWatchReader;

/** The format of responses of the API server. */
public enum WireFormat {
    /** Half the work for both sides. */
    PROTOBUF("application/vnd.kubernetes.protobuf") {
        @Override
        StreamReader listReader(StringInterner stringInterner, ListSink sink) {
            return new ProtoListReader(stringInterner, sink);
        }

        @Override
        StreamReader watchReader(StringInterner stringInterner, WatchSink sink) {
            return new ProtoWatchReader(stringInterner, sink);
        }

        @Override
        void readObject(StringInterner stringInterner, byte[] body, ObjectSink sink) {
            sink.onObject(ProtoCursor.of(stringInterner, body));
        }
    },
    /** Supported by every server. */
    JSON("application/json") {
        @Override
        StreamReader listReader(StringInterner stringInterner, ListSink sink) {
            return new JsonListReader(stringInterner, sink);
        }

        @Override
        StreamReader watchReader(StringInterner stringInterner, WatchSink sink) {
            return new JsonWatchReader(stringInterner, sink);
        }

        @Override
        void readObject(StringInterner stringInterner, byte[] body, ObjectSink sink) {
            try (JsonCursor in = new JsonCursor(stringInterner, body, 0, body.length)) {
                sink.onObject(in);
            }
        }
    };

    private final String mediaType;

    WireFormat(String mediaType) {
        this.mediaType = mediaType;
    }

    /** The format of a response with this content type; anything but protobuf must be JSON. */
    public static WireFormat fromContentType(String contentType) {
        return contentType.startsWith(PROTOBUF.mediaType) ? PROTOBUF : JSON;
    }

    public String mediaType() {
        return mediaType;
    }

    /** The Accept header of a watch. */
    public String watchMediaType() {
        return this == PROTOBUF ? mediaType + ";stream=watch" : mediaType;
    }

    abstract StreamReader listReader(StringInterner stringInterner, ListSink sink);

    abstract StreamReader watchReader(StringInterner stringInterner, WatchSink sink);

    abstract void readObject(StringInterner stringInterner, byte[] body, ObjectSink sink);
}
