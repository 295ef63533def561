package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.api.Status;
import dev.berth.kubernetes.cursor.StreamReader;
import dev.berth.kubernetes.format.WireFormat;
import dev.berth.kubernetes.http2.RequestFailedException;
import dev.berth.kubernetes.http2.ResponseHead;
import dev.berth.kubernetes.http2.ResponseListener;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A response that is read as it arrives, or collected if it is an error. */
abstract class StreamedResponseHandler implements ResponseListener {
    private static final int MAX_ERROR_BYTES = 64 * 1024;

    private Optional<ResponseHead> errorHead = Optional.empty();
    private Optional<StreamReader> reader = Optional.empty();
    private final ByteArrayOutputStream errorBody = new ByteArrayOutputStream();

    /** The server accepted the request; {@link #readWith} must be called. */
    protected abstract void onAccepted(WireFormat format);

    protected abstract void onComplete();

    protected abstract void onErrorStatus(Status status);

    protected abstract void onListWatchFailure(ListWatchFailure failure);

    protected final void readWith(StreamReader body) {
        reader = Optional.of(body);
    }

    @Override
    public final void onHead(ResponseHead head) {
        if (head.isSuccessful()) {
            onAccepted(WireFormat.fromContentType(head.header("content-type").orElse("")));
        } else {
            errorHead = Optional.of(head);
        }
    }

    @Override
    public final void onData(ByteBuffer bytes) {
        if (reader.isPresent()) {
            reader.get().read(bytes);
        } else if (errorBody.size() < MAX_ERROR_BYTES) {
            byte[] more = new byte[bytes.remaining()];
            bytes.get(more);
            errorBody.writeBytes(more);
        }
    }

    @Override
    public final void onEnd() {
        if (errorHead.isPresent()) {
            onErrorStatus(Status.of(errorHead.get(), errorBody.toByteArray()));
        } else {
            reader.ifPresent(StreamReader::end);
            onComplete();
        }
    }

    @Override
    public final void onFailure(RequestFailedException failure) {
        // An unreadable response has a cause; without a cause the response was incomplete.
        String reason = failure.reason();
        onListWatchFailure(
                failure.getCause() == null
                        ? ListWatchFailure.serverUnavailable(reason)
                        : ListWatchFailure.retryable(reason));
    }
}
