package dev.berth.kubernetes.http2;

import java.time.Duration;
import java.util.List;

/** A request. The body is not copied: it must not change any more. */
public final class Request {
    private static final byte[] EMPTY_BODY = new byte[0];

    private final String method;
    private final String path;
    private final List<Header> headers;
    private final byte[] body;
    private final Duration timeout;

    /** A header; names are in lower case, as HTTP/2 requires. */
    public record Header(CharSequence name, CharSequence value) {}

    /**
     * @param timeout from the call of the client, including the wait for a stream: to the end of the response, or to
     * its head if the response is read as it arrives
     */
    public Request(String method, String path, List<Header> headers, byte[] body, Duration timeout) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path (%s) must begin with /".formatted(path));
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout (%s) must be positive".formatted(timeout));
        }
        this.method = method;
        this.path = path;
        this.headers = List.copyOf(headers);
        this.body = body;
        this.timeout = timeout;
    }

    public static Request get(String path, List<Header> headers, Duration timeout) {
        return new Request("GET", path, headers, EMPTY_BODY, timeout);
    }

    public String method() {
        return method;
    }

    public String path() {
        return path;
    }

    public List<Header> headers() {
        return headers;
    }

    public Duration timeout() {
        return timeout;
    }

    byte[] body() {
        return body;
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
