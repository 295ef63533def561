package dev.berth.kubernetes.http2;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Gathers an answer into one piece. */
final class WholeBody implements ResponseListener {
    /** No single object of the API server is near this; lists are read as they arrive. */
    static final int LARGEST = 64 * 1024 * 1024;

    private static final byte[] NOTHING = new byte[0];

    private final CompletableFuture<Response> future = new CompletableFuture<>();
    private @Nullable Head head;
    private byte[] body = NOTHING;
    private int length;

    CompletableFuture<Response> future() {
        return future;
    }

    @Override
    public void head(Head value) {
        head = value;
    }

    @Override
    public void data(ByteBuffer bytes) {
        int more = bytes.remaining();
        if (more > LARGEST - length) {
            throw new IllegalStateException("the answer is longer than %d bytes".formatted(LARGEST));
        }
        if (length + more > body.length) {
            body = Arrays.copyOf(body, length == 0 ? more : Math.max(2 * length, length + more));
        }
        bytes.get(body, length, more);
        length += more;
    }

    @Override
    public void end() {
        if (head == null) {
            throw new IllegalStateException("the answer ended before it began");
        }
        future.complete(new Response(head, length == body.length ? body : Arrays.copyOf(body, length)));
    }

    @Override
    public void failed(RequestFailed failure) {
        future.completeExceptionally(failure);
    }
}
