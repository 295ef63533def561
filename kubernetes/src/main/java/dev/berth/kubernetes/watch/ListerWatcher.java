package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.http2.Cancellable;
import dev.berth.kubernetes.projection.ReadResult;

/** Where a kind of object comes from. All listeners are called on the thread of the one who asks. */
public interface ListerWatcher<T> {
    /** Receives a part of a list; after {@link #onPageEnd} or {@link #onFailure} nothing more comes. */
    interface ListCallback<T> {
        void onItem(ReadResult<T> item);

        /** The part has been told; where {@code continueToken} is empty it was the last. */
        void onPageEnd(String version, String continueToken);

        void onFailure(ListWatchFailure failure);
    }

    /** Receives a watch; after {@link #onEnd} or {@link #onFailure} nothing more comes. */
    interface WatchCallback<T> {
        /** The server has agreed: what it has to tell comes from now on. */
        default void onOpened() {}

        void onChanged(ReadResult<T> object);

        void onDeleted(ReadResult<T> object);

        /** Everything up to the version has been told. */
        void onBookmark(String version);

        /** The server ended it in good order. */
        void onEnd();

        void onFailure(ListWatchFailure failure);
    }

    /** Lists what there is now, as nobody could see it later; the token is that of the part before, or empty. */
    Cancellable list(String continueToken, ListCallback<T> listener);

    /** Tells what happens after the version. */
    Cancellable watch(String version, WatchCallback<T> listener);

    /** Tells what happened after the version, and ends soon: with a bookmark, which says how far it went. */
    default Cancellable replay(String version, WatchCallback<T> listener) {
        return watch(version, listener);
    }
}
