package dev.berth.kubernetes.feed;

import dev.berth.kubernetes.cursor.Identity;
import dev.berth.kubernetes.watch.Listener;
import java.util.Optional;

/** Tells a door of its objects. */
final class ObjectListener<T> implements Listener<T> {
    private final ObjectFeed<T> kind;
    private final Facts facts;
    private final Runnable listed;

    ObjectListener(ObjectFeed<T> kind, Facts facts, Runnable listed) {
        this.kind = kind;
        this.facts = facts;
        this.listed = listed;
    }

    @Override
    public void seen(String uid, T view) {
        facts.accept(kind.seen().apply(view));
    }

    @Override
    public void gone(String uid, Optional<T> last) {
        facts.accept(kind.gone().apply(uid));
    }

    @Override
    public void listed() {
        listed.run();
    }

    @Override
    public void unreadable(Identity identity, String problem) {
        facts.unreadable(identity, problem);
    }
}
