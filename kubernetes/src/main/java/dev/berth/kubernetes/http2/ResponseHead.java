package dev.berth.kubernetes.http2;

import io.netty.handler.codec.http2.Http2Headers;
import java.util.Optional;

/** The status and headers of a response. */
public final class ResponseHead {
    private final int status;
    private final Http2Headers headers;
    private final String advice;

    ResponseHead(int status, Http2Headers headers) {
        this(status, headers, "");
    }

    private ResponseHead(int status, Http2Headers headers, String advice) {
        this.status = status;
        this.headers = headers;
        this.advice = advice;
    }

    /** The same head with advice for the user. */
    public ResponseHead withAdvice(String advice) {
        return new ResponseHead(status, headers, advice);
    }

    /** Advice for the user; empty if there is none. */
    public String advice() {
        return advice;
    }

    public int status() {
        return status;
    }

    public boolean isSuccessful() {
        return status >= 200 && status < 300;
    }

    /** The first header of the name, which is in lower case. */
    public Optional<String> header(CharSequence name) {
        return Optional.ofNullable(headers.get(name)).map(CharSequence::toString);
    }

    @Override
    public String toString() {
        return "HTTP " + status;
    }
}
