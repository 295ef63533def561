package dev.berth.kubernetes.http2;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Collects a response into one array. */
final class ResponseCollector implements ResponseListener {
    /** No single object of the API server is nearly as large; lists are read as they arrive. */
    static final int MAX_BODY_BYTES = 64 * 1024 * 1024;

    private static final byte[] EMPTY_BODY = new byte[0];

    private final CompletableFuture<Response> future = new CompletableFuture<>();
    private @Nullable ResponseHead head;
    private byte[] body = EMPTY_BODY;
    private int length;

    CompletableFuture<Response> future() {
        return future;
    }

    @Override
    public void onHead(ResponseHead value) {
        head = value;
    }

    @Override
    public void onData(ByteBuffer bytes) {
        int more = bytes.remaining();
        if (more > MAX_BODY_BYTES - length) {
            throw new IllegalStateException("the response is longer than %d bytes".formatted(MAX_BODY_BYTES));
        }
        if (length + more > body.length) {
            body = Arrays.copyOf(body, length == 0 ? more : Math.max(2 * length, length + more));
        }
        bytes.get(body, length, more);
        length += more;
    }

    @Override
    public void onEnd() {
        if (head == null) {
            throw new IllegalStateException("the response ended before its headers");
        }
        future.complete(new Response(head, length == body.length ? body : Arrays.copyOf(body, length)));
    }

    @Override
    public void onFailure(RequestFailedException failure) {
        future.completeExceptionally(failure);
    }
}
