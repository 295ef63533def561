package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.http2.Call;
import dev.berth.kubernetes.projection.Seen;

/** Where a kind of object comes from. All listeners are called on the thread of the one who asks. */
public interface Source<T> {
    /** Receives a part of a list; after {@link #end} or {@link #failed} nothing more comes. */
    interface ListListener<T> {
        void item(Seen<T> item);

        /** The part has been told; where {@code continueToken} is empty it was the last. */
        void end(String version, String continueToken);

        void failed(Failure failure);
    }

    /** Receives a watch; after {@link #end} or {@link #failed} nothing more comes. */
    interface WatchListener<T> {
        /** The server has agreed: what it has to tell comes from now on. */
        default void opened() {}

        void changed(Seen<T> object);

        void deleted(Seen<T> object);

        /** Everything up to the version has been told. */
        void bookmark(String version);

        /** The server ended it in good order. */
        void end();

        void failed(Failure failure);
    }

    /** Lists what there is now, as nobody could see it later; the token is that of the part before, or empty. */
    Call list(String continueToken, ListListener<T> listener);

    /** Tells what happens after the version. */
    Call watch(String version, WatchListener<T> listener);

    /** Tells what happened after the version, and ends soon: with a bookmark, which says how far it went. */
    default Call replay(String version, WatchListener<T> listener) {
        return watch(version, listener);
    }
}
