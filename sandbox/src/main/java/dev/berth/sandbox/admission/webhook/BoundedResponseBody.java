package dev.berth.sandbox.admission.webhook;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** Collects a response up to a maximum size, so that a webhook cannot fill the memory of the server. */
final class BoundedResponseBody implements Consumer<Optional<byte[]>> {

    private static final int MAX_BYTES = 3 * 1024 * 1024;

    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private boolean tooLarge;

    @Override
    public synchronized void accept(Optional<byte[]> part) {
        part.ifPresent(this::add);
    }

    private void add(byte[] bytes) {
        if (content.size() + bytes.length > MAX_BYTES) {
            tooLarge = true;
        } else {
            content.writeBytes(bytes);
        }
    }

    /** The body, once it is complete. */
    synchronized byte[] toBytes() throws IOException {
        if (tooLarge) {
            throw new IOException("the answer is larger than " + MAX_BYTES + " bytes");
        }
        return content.toByteArray();
    }
}
