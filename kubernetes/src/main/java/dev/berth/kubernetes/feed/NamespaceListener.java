package dev.berth.kubernetes.feed;

import dev.berth.core.cluster.neighbour.Namespace;
import dev.berth.core.decision.Fact;
import dev.berth.kubernetes.cursor.Identity;
import dev.berth.kubernetes.watch.Listener;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Tells the engine of namespaces, which it knows by name and not by UID. */
final class NamespaceListener implements Listener<Namespace> {
    private final Facts facts;
    private final Runnable listed;
    private final Map<String, String> names = new HashMap<>();

    NamespaceListener(Facts facts, Runnable listed) {
        this.facts = facts;
        this.listed = listed;
    }

    @Override
    public void seen(String uid, Namespace view) {
        names.put(uid, view.name());
        facts.accept(new Fact.NamespaceSeen(view));
    }

    @Override
    public void gone(String uid, Optional<Namespace> last) {
        String name = names.remove(uid);
        if (name != null) {
            facts.accept(new Fact.NamespaceGone(name));
        }
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
