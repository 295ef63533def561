package dev.berth.kubernetes.http2;

import dev.berth.kubernetes.http2.RequestFailed.Fate;
import dev.berth.kubernetes.time.GoDuration;
import io.netty.util.concurrent.Future;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One request from its arrival at the client to its end. Confined to the client's thread, but for {@link #cancel}. */
final class Exchange implements Call {
    /** How often a request that was not processed is sent again before its failure is told. */
    private static final int MOST_ATTEMPTS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

    final Request request;
    private final ResponseListener listener;
    private final Http2Client client;
    private final boolean streamed;
    private int attempts;
    private boolean headSeen;
    private boolean done;
    private @Nullable Future<?> deadline;
    private @Nullable Link link;
    private int streamId;

    Exchange(Request request, ResponseListener listener, boolean streamed, Http2Client client) {
        this.request = request;
        this.listener = listener;
        this.streamed = streamed;
        this.client = client;
    }

    @Override
    public void cancel() {
        client.execute(() -> giveUp("was cancelled"));
    }

    void deadline(Future<?> timer) {
        deadline = timer;
    }

    boolean done() {
        return done;
    }

    /** It is on its way over the link from now on. */
    void opened(Link over, int stream) {
        link = over;
        streamId = stream;
    }

    void head(Head head) {
        if (done) {
            return;
        }
        headSeen = true;
        if (streamed) {
            stopTimer();
        }
        guarded(() -> listener.head(head));
    }

    void data(ByteBuffer bytes) {
        if (!done) {
            guarded(() -> listener.data(bytes));
        }
    }

    void end() {
        if (!done) {
            guarded(() -> {
                listener.end();
                finish();
            });
        }
    }

    /** The server has not looked at it: it is sent again, unless that has been tried too often. */
    void notProcessed(String why) {
        link = null;
        if (done) {
            return;
        }
        // Counted here and not when it is opened: a stream that cannot be opened must not be tried for ever either.
        attempts++;
        if (headSeen || attempts >= MOST_ATTEMPTS) {
            fail(headSeen ? Fate.UNKNOWN : Fate.NOT_PROCESSED, why, null);
        } else {
            client.again(this);
        }
    }

    void lost(String why) {
        link = null;
        fail(Fate.UNKNOWN, why, null);
    }

    void fail(Fate fate, String why, @Nullable Throwable cause) {
        if (done) {
            return;
        }
        finish();
        try {
            listener.failed(new RequestFailed(fate, request.toString(), why, cause));
        } catch (RuntimeException thrown) {
            LOG.error("{}: its listener could not take that it failed ({})", request, why, thrown);
        }
    }

    /** A request that waited for a connection in the pause after one failed says the same as those that failed with it. */
    void overdue() {
        giveUp(client.notConnected()
                .filter(why -> link == null)
                .orElseGet(() -> "no answer within " + GoDuration.format(request.timeout())));
    }

    private void giveUp(String why) {
        if (done) {
            return;
        }
        Link over = link;
        link = null;
        fail(over == null ? Fate.NOT_PROCESSED : Fate.UNKNOWN, why, null);
        if (over != null) {
            over.reset(streamId);
        }
    }

    /** A listener that throws must not take the connection, and everybody else's requests, with it. */
    private void guarded(Runnable call) {
        try {
            call.run();
        } catch (RuntimeException thrown) {
            Link over = link;
            link = null;
            fail(Fate.UNKNOWN, "its answer could not be used: " + thrown.getMessage(), thrown);
            if (over != null) {
                over.reset(streamId);
            }
        }
    }

    private void finish() {
        done = true;
        stopTimer();
    }

    private void stopTimer() {
        if (deadline != null) {
            deadline.cancel(false);
            deadline = null;
        }
    }
}
