package dev.berth.sandbox.client.transport;

/** A way to an API server. Safe for use by several threads. */
public interface Transport extends AutoCloseable {

    /**
     * Sends the call and waits for the answer, whatever its code.
     *
     * @throws UnreachableException when no answer came; whether the call had an effect is then unknown
     */
    ClientResponse send(ClientRequest clientRequest);

    /**
     * Opens a watch. A refusal by the server arrives as an {@code ERROR} event.
     *
     * @param onAvailable run whenever a poll may have become worthwhile, on any thread; must be quick
     */
    WatchStream watch(ClientRequest clientRequest, Runnable onAvailable);

    @Override
    void close();
}
