package dev.berth.kubernetes.http2;

/** A request under way. */
public interface Call {
    /** Ends it; its listener hears {@link ResponseListener#failed} unless it has heard the end already. */
    void cancel();
}
