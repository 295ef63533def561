package dev.berth.kubernetes.http2;

import java.nio.ByteBuffer;

/**
 * Receives an answer as it arrives. All calls come on the client's own thread, one after the other: {@link #onHead},
 * any number of {@link #onData}, then exactly one of {@link #onEnd} and {@link #onFailure}; {@code failed} may come at any
 * time before. A call that takes long slows the connection down, which is how the server is made to wait.
 */
public interface ResponseListener {
    void onHead(ResponseHead head);

    /** The next bytes of the body. They are the listener's only during the call. */
    void onData(ByteBuffer bytes);

    void onEnd();

    void onFailure(RequestFailedException failure);
}
