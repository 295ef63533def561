package dev.berth.kubernetes.cursor;

import java.nio.ByteBuffer;

/** Reads a body that arrives in pieces. */
public interface StreamReader {
    /**
     * Takes the next piece and hands on what is complete.
     *
     * @throws MalformedObjectException when the body cannot be followed any further
     */
    void read(ByteBuffer piece);

    /**
     * The body has ended.
     *
     * @throws MalformedObjectException when it ended too early
     */
    void end();
}
