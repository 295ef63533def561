package dev.berth.kubernetes.feed;

import dev.berth.core.cluster.Workload;
import dev.berth.core.decision.Fact;
import dev.berth.kubernetes.cursor.Identity;
import dev.berth.kubernetes.watch.Listener;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Tells the engine of the workloads of one kind, which it knows by name and not by UID. */
final class WorkloadListener implements Listener<Workload> {
    private final Facts facts;
    private final Runnable listed;
    private final Map<String, Workload.Key> keys = new HashMap<>();

    WorkloadListener(Facts facts, Runnable listed) {
        this.facts = facts;
        this.listed = listed;
    }

    @Override
    public void seen(String uid, Workload view) {
        keys.put(uid, view.key());
        facts.accept(new Fact.WorkloadSeen(view));
    }

    @Override
    public void gone(String uid, Optional<Workload> last) {
        Workload.Key key = keys.remove(uid);
        if (key != null) {
            facts.accept(new Fact.WorkloadGone(key));
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
