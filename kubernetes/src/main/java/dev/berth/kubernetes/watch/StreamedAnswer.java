package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.api.Status;
import dev.berth.kubernetes.cursor.BodyReader;
import dev.berth.kubernetes.format.Format;
import dev.berth.kubernetes.http2.Head;
import dev.berth.kubernetes.http2.RequestFailed;
import dev.berth.kubernetes.http2.ResponseListener;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;

/** An answer that is read as it arrives, or, where the server refuses, gathered to learn why. */
abstract class StreamedAnswer implements ResponseListener {
    private static final int LONGEST_REFUSAL = 64 * 1024;

    private Optional<Head> refusal = Optional.empty();
    private Optional<BodyReader> reader = Optional.empty();
    private final ByteArrayOutputStream words = new ByteArrayOutputStream();

    /** The server agrees; {@link #readWith} must be called. */
    protected abstract void begin(Format format);

    protected abstract void complete();

    protected abstract void refused(Status status);

    protected abstract void broken(Failure failure);

    protected final void readWith(BodyReader body) {
        reader = Optional.of(body);
    }

    @Override
    public final void head(Head head) {
        if (head.successful()) {
            begin(Format.of(head.header("content-type").orElse("")));
        } else {
            refusal = Optional.of(head);
        }
    }

    @Override
    public final void data(ByteBuffer bytes) {
        if (reader.isPresent()) {
            reader.get().read(bytes);
        } else if (words.size() < LONGEST_REFUSAL) {
            byte[] more = new byte[bytes.remaining()];
            bytes.get(more);
            words.writeBytes(more);
        }
    }

    @Override
    public final void end() {
        if (refusal.isPresent()) {
            refused(Status.of(refusal.get(), words.toByteArray()));
        } else {
            reader.ifPresent(BodyReader::end);
            complete();
        }
    }

    @Override
    public final void failed(RequestFailed failure) {
        // An answer that could not be read has a cause; without one there was no whole answer.
        String why = failure.reason();
        broken(failure.getCause() == null ? Failure.away(why) : Failure.broken(why));
    }
}
