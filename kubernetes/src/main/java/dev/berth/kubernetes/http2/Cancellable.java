package dev.berth.kubernetes.http2;

/** A request in flight. */
public interface Cancellable {
    /**
     * Cancels it. Its listener receives {@link ResponseListener#onFailure}, unless the response is complete already.
     */
    void cancel();
}
