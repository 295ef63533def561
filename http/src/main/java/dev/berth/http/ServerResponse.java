package dev.berth.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A response to a request. */
public final class ServerResponse {
    public static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";

    private final int status;
    private final Map<String, String> headers;
    private final List<BodyPart> parts;

    /** Bytes of the response, which may be a part of the request's body: it is sent without a copy. */
    public static final class BodyPart {
        private final byte[] bytes;
        private final int from;
        private final int length;

        public BodyPart(byte[] bytes, int from, int length) {
            this.bytes = bytes;
            this.from = from;
            this.length = length;
        }

        public static BodyPart of(byte[] bytes) {
            return new BodyPart(bytes, 0, bytes.length);
        }

        public static BodyPart of(String text) {
            return of(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private ServerResponse(int status, Map<String, String> headers, List<BodyPart> parts) {
        this.status = status;
        this.headers = Map.copyOf(headers);
        this.parts = List.copyOf(parts);
    }

    public static ServerResponse of(int status, String contentType, String body) {
        return of(status, contentType, List.of(BodyPart.of(body)));
    }

    public static ServerResponse of(int status, String contentType, List<BodyPart> parts) {
        return new ServerResponse(status, Map.of("Content-Type", contentType), parts);
    }

    public static ServerResponse text(int status, String text) {
        return of(status, TEXT, text);
    }

    public static ServerResponse json(int status, byte[] json) {
        return of(status, JSON, List.of(BodyPart.of(json)));
    }

    public ServerResponse withHeader(String header, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(header, value);
        return new ServerResponse(status, more, parts);
    }

    public int status() {
        return status;
    }

    public Map<String, String> headers() {
        return headers;
    }

    public long length() {
        return parts.stream().mapToLong(part -> part.length).sum();
    }

    public void writeTo(OutputStream out) throws IOException {
        for (BodyPart part : parts) {
            out.write(part.bytes, part.from, part.length);
        }
    }
}
