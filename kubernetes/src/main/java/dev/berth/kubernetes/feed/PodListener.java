package dev.berth.kubernetes.feed;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Fact;
import dev.berth.engine.FactSink;
import dev.berth.kubernetes.cursor.Identity;
import dev.berth.kubernetes.projection.ObservedPod;
import dev.berth.kubernetes.watch.Listener;
import java.util.Optional;

/** Tells the engine of pods, and the observer what their status says about scheduling. */
final class PodListener implements Listener<ObservedPod> {
    private final Facts facts;
    private final PodObserver observer;
    private volatile String reached = "";

    PodListener(Facts facts, PodObserver observer) {
        this.facts = facts;
        this.observer = observer;
    }

    @Override
    public void seen(String uid, ObservedPod view) {
        observer.seen(view);
        facts.accept(new Fact.PodSeen(view.pod()));
    }

    @Override
    public void gone(String uid, Optional<ObservedPod> last) {
        PodUid pod = new PodUid(uid);
        observer.gone(pod);
        facts.accept(new Fact.PodGone(pod));
    }

    @Override
    public void listed() {
        facts.listed(FactSink.Source.PODS);
    }

    @Override
    public void reached(String version) {
        reached = version;
    }

    String version() {
        return reached;
    }

    @Override
    public void unreadable(Identity identity, String problem) {
        facts.unreadable(identity, problem);
    }

    @Override
    public void historyTold() {
        facts.accept(new Fact.DeletionsReplayed());
    }

    @Override
    public void historyLost(String version) {
        observer.historyLost(version);
    }
}
