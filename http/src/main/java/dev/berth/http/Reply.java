package dev.berth.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** An answer to a request. */
public final class Reply {
    public static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";

    private final int status;
    private final Map<String, String> headers;
    private final byte[] body;

    private Reply(int status, Map<String, String> headers, byte[] body) {
        this.status = status;
        this.headers = Map.copyOf(headers);
        this.body = body;
    }

    public static Reply of(int status, String contentType, String body) {
        return new Reply(status, Map.of("Content-Type", contentType), body.getBytes(StandardCharsets.UTF_8));
    }

    public static Reply text(int status, String words) {
        return of(status, TEXT, words);
    }

    public static Reply json(int status, byte[] json) {
        return new Reply(status, Map.of("Content-Type", JSON), json.clone());
    }

    public Reply with(String header, String value) {
        Map<String, String> more = new TreeMap<>(headers);
        more.put(header, value);
        return new Reply(status, more, body);
    }

    public int status() {
        return status;
    }

    public Map<String, String> headers() {
        return headers;
    }

    public byte[] body() {
        return body.clone();
    }
}
