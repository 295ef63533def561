package dev.berth.kubernetes.http2;

import java.nio.ByteBuffer;

/**
 * Receives an answer as it arrives. All calls come on the client's own thread, one after the other: {@link #head},
 * any number of {@link #data}, then exactly one of {@link #end} and {@link #failed}; {@code failed} may come at any
 * time before. A call that takes long slows the connection down, which is how the server is made to wait.
 */
public interface ResponseListener {
    void head(Head head);

    /** The next bytes of the body. They are the listener's only during the call. */
    void data(ByteBuffer bytes);

    void end();

    void failed(RequestFailed failure);
}
