package dev.berth.kubernetes.http2;

import dev.berth.kubernetes.http2.RequestFailedException.ProcessingState;
import dev.berth.kubernetes.time.GoDuration;
import io.netty.util.concurrent.Future;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request, from its arrival at the client to its end. Confined to the client's thread, except for {@link #cancel}.
 */
final class Exchange implements Cancellable {
    /** How often an unprocessed request is sent before its failure is reported. */
    private static final int MAX_ATTEMPTS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    final Request request;
    private final ResponseListener listener;
    private final Http2Client client;
    private final boolean streamed;
    private int attempts;
    private boolean headSeen;
    private boolean done;
    private @Nullable Future<?> timeoutTask;
    private @Nullable ClientConnection connection;
    private int streamId;

    Exchange(Request request, ResponseListener listener, boolean streamed, Http2Client client) {
        this.request = request;
        this.listener = listener;
        this.streamed = streamed;
        this.client = client;
    }

    @Override
    public void cancel() {
        client.execute(() -> abort("was cancelled"));
    }

    void setTimeoutTask(Future<?> timer) {
        timeoutTask = timer;
    }

    boolean isDone() {
        return done;
    }

    /** The request is in flight on this connection. */
    void onStreamOpened(ClientConnection connectionUsed, int stream) {
        connection = connectionUsed;
        streamId = stream;
    }

    void onHead(ResponseHead head) {
        if (done) {
            return;
        }
        headSeen = true;
        if (streamed) {
            cancelTimeout();
        }
        callListener(() -> listener.onHead(head));
    }

    void onData(ByteBuffer bytes) {
        if (!done) {
            callListener(() -> listener.onData(bytes));
        }
    }

    void onEnd() {
        if (!done) {
            callListener(() -> {
                listener.onEnd();
                finish();
            });
        }
    }

    /** The server did not process the request: it is sent again, unless that was tried too often. */
    void onNotProcessed(String reason) {
        connection = null;
        if (done) {
            return;
        }
        // Counted here and not when the stream is opened: a stream that cannot be opened must not be retried forever
        // either.
        attempts++;
        if (headSeen || attempts >= MAX_ATTEMPTS) {
            fail(headSeen ? ProcessingState.UNKNOWN : ProcessingState.NOT_PROCESSED, reason, null);
        } else {
            client.resend(this);
        }
    }

    void onLost(String reason) {
        connection = null;
        fail(ProcessingState.UNKNOWN, reason, null);
    }

    void fail(ProcessingState processingState, String reason, @Nullable Throwable cause) {
        if (done) {
            return;
        }
        finish();
        try {
            listener.onFailure(new RequestFailedException(processingState, request.toString(), reason, cause));
        } catch (RuntimeException thrown) {
            LOG.error("{}: the listener failed on the error ({})", request, reason, thrown);
        }
    }

    /**
     * A request that waited for a connection after a failed attempt has the same reason as the requests that failed
     * with it.
     */
    void onTimeout() {
        abort(client.lastConnectError()
                .filter(reason -> connection == null)
                .orElseGet(() -> "no answer within " + GoDuration.format(request.timeout())));
    }

    private void abort(String reason) {
        if (done) {
            return;
        }
        ClientConnection connectionUsed = connection;
        connection = null;
        fail(connectionUsed == null ? ProcessingState.NOT_PROCESSED : ProcessingState.UNKNOWN, reason, null);
        if (connectionUsed != null) {
            connectionUsed.resetStream(streamId);
        }
    }

    /** A listener that throws must not break the connection and all other requests. */
    private void callListener(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException thrown) {
            ClientConnection connectionUsed = connection;
            connection = null;
            fail(ProcessingState.UNKNOWN, "the response could not be processed: " + thrown.getMessage(), thrown);
            if (connectionUsed != null) {
                connectionUsed.resetStream(streamId);
            }
        }
    }

    private void finish() {
        done = true;
        cancelTimeout();
    }

    private void cancelTimeout() {
        if (timeoutTask != null) {
            timeoutTask.cancel(false);
            timeoutTask = null;
        }
    }
}
