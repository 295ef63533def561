package dev.berth.kubernetes.cursor;

import java.nio.ByteBuffer;

/** Reads a body that arrives in pieces. */
public interface StreamReader {
    /**
     * Reads the next piece and passes on complete objects.
     *
     * @throws MalformedObjectException if the rest of the body cannot be read
     */
    void read(ByteBuffer piece);

    /**
     * The body has ended.
     *
     * @throws MalformedObjectException if it ended too early
     */
    void end();
}
