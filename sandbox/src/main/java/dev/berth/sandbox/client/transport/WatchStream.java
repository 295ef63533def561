package dev.berth.sandbox.client.transport;

import java.util.Optional;

/** The events of one watch; the caller polls them. Not safe for several threads at once. */
public interface WatchStream extends AutoCloseable {

    /**
     * The next message that has arrived, in the server's order; empty when none is waiting.
     *
     * @throws UnreachableException when the connection broke and everything that came before has been taken
     */
    Optional<WatchEvent> poll();

    /** Whether the server ended the watch and everything it sent has been taken. */
    boolean ended();

    @Override
    void close();
}
