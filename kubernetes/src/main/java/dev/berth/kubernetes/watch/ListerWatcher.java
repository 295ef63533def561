package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.http2.Cancellable;
import dev.berth.kubernetes.projection.ReadResult;

/** Lists and watches a kind. All callbacks come on the caller's thread. */
public interface ListerWatcher<T> {
    /** Receives a page of a list; {@link #onPageEnd} or {@link #onFailure} is the last call. */
    interface ListCallback<T> {
        void onItem(ReadResult<T> item);

        /** The page is complete; if {@code continueToken} is empty, it was the last page. */
        void onPageEnd(String version, String continueToken);

        void onFailure(ListWatchFailure failure);
    }

    /** Receives a watch; {@link #onEnd} or {@link #onFailure} is the last call. */
    interface WatchCallback<T> {
        /** The server accepted the watch: events follow. */
        default void onOpened() {}

        void onChanged(ReadResult<T> object);

        void onDeleted(ReadResult<T> object);

        /** All events up to the version were passed on. */
        void onBookmark(String version);

        /** The server ended the watch regularly. */
        void onEnd();

        void onFailure(ListWatchFailure failure);
    }

    /**
     * Lists the present objects with a consistent read.
     *
     * @param continueToken of the page before, or empty
     */
    Cancellable list(String continueToken, ListCallback<T> listener);

    /** Watches events after the version. */
    Cancellable watch(String version, WatchCallback<T> listener);

    /** Watches events after the version, and ends soon, with a bookmark that has the last version. */
    default Cancellable replay(String version, WatchCallback<T> listener) {
        return watch(version, listener);
    }
}
