package dev.berth.kubernetes.http2;

import java.nio.ByteBuffer;

/**
 * Receives a response as it arrives. All calls come on the client's own thread, one after the other: {@link #onHead},
 * any number of {@link #onData}, then exactly one of {@link #onEnd} and {@link #onFailure}; {@code onFailure} may come
 * at any time before. A slow call slows the connection down, so that the server waits.
 */
public interface ResponseListener {
    void onHead(ResponseHead head);

    /** The next bytes of the body. They are valid only during the call. */
    void onData(ByteBuffer bytes);

    void onEnd();

    void onFailure(RequestFailedException failure);
}
