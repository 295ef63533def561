package dev.berth.kubernetes.cursor;

import java.nio.ByteBuffer;

/** Reads a body that arrives in pieces. */
public interface BodyReader {
    /**
     * Takes the next piece and hands on what is complete.
     *
     * @throws MalformedObject when the body cannot be followed any further
     */
    void read(ByteBuffer piece);

    /**
     * The body has ended.
     *
     * @throws MalformedObject when it ended too early
     */
    void end();
}
