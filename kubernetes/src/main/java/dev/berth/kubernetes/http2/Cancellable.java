package dev.berth.kubernetes.http2;

/** A request under way. */
public interface Cancellable {
    /** Ends it; its listener hears {@link ResponseListener#onFailure} unless it has heard the end already. */
    void cancel();
}
