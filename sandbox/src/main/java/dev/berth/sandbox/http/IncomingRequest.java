package dev.berth.sandbox.http;

import dev.berth.sandbox.apierrors.ApiStatus;
import dev.berth.sandbox.apierrors.ApiStatusException;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.util.Map;

/** A request that is being received: its headers and the body so far. Bodies beyond the limit are rejected. */
final class IncomingRequest {

    /** The maximum size of a body, as in the real server. */
    static final int BODY_LIMIT = 3 * 1024 * 1024;

    private final String method;
    private final String target;
    private final Map<String, String> headers;
    private final ByteArrayOutputStream body = new ByteArrayOutputStream(0);
    private boolean tooLarge;

    IncomingRequest(String method, String target, Map<String, String> lowerCaseHeaders) {
        this.method = method;
        this.target = target;
        this.headers = lowerCaseHeaders;
    }

    /** Adds a part of the body. Bytes beyond the limit are counted and dropped. */
    void add(ByteBuf part) {
        if (tooLarge || body.size() + part.readableBytes() > BODY_LIMIT) {
            tooLarge = true;
            body.reset();
            return;
        }
        byte[] bytes = new byte[part.readableBytes()];
        part.getBytes(part.readerIndex(), bytes);
        body.writeBytes(bytes);
    }

    String method() {
        return method;
    }

    String target() {
        return target;
    }

    Map<String, String> headers() {
        return headers;
    }

    /** The whole body. */
    byte[] body() {
        if (tooLarge) {
            throw new ApiStatusException(ApiStatus.tooLarge(BODY_LIMIT));
        }
        return body.toByteArray();
    }
}
