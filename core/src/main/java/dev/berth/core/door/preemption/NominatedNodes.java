package dev.berth.core.door.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Effect.PodRef;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Subject;
import dev.berth.core.door.preemption.PreemptionWrite.Nominate;
import dev.berth.core.hold.Origin;
import dev.berth.core.reconcile.Reconciler;
import dev.berth.core.reconcile.Source;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Brings the nominated nodes of pods to what they should be. One writer for all doors: the latest wish for a pod counts.
 * A wish ends when the pod shows it, when the pod waits no longer, or when its door drops it.
 */
public final class NominatedNodes implements Source<PodUid, Nominate> {
    /** @param door which hears what became of it */
    private record Wish(String node, Origin.Door door) {}

    private final Map<PodUid, Wish> wishes = new HashMap<>();
    private final Reconciler<PodUid, Nominate> reconciler = new Reconciler<>(this);
    private Consumer<PodUid> listener = pod -> {};

    /** Has one listener hear of each pod of which something was written or answered, or was looked at again. */
    void listener(Consumer<PodUid> hears) {
        listener = hears;
    }

    /**
     * Has the pod's status name this node, as soon as that may be written.
     *
     * @param node empty for none
     */
    public void want(PodUid pod, String node, Origin.Door door, Desk desk) {
        wishes.put(pod, new Wish(node, door));
        reconciler.reconcile(pod, desk);
        listener.accept(pod);
    }

    /** The pod's status may stay as it is. */
    void drop(PodUid pod) {
        if (wishes.remove(pod) != null) {
            reconciler.touch(pod);
        }
    }

    /** Something new is known of the pod. */
    public void seen(Pod pod) {
        if (isEmpty()) {
            return;
        }
        if (!pod.waits()) {
            gone(pod.uid());
        } else if (wishes.containsKey(pod.uid()) || reconciler.waits(pod.uid())) {
            reconciler.touch(pod.uid());
        }
    }

    public void gone(PodUid pod) {
        wishes.remove(pod);
        reconciler.forget(pod);
    }

    public void answered(Nominate write, Outcome outcome, Desk desk) {
        reconciler.answered(write.pod().uid(), write, outcome, desk);
        listener.accept(write.pod().uid());
    }

    /** Writes what may be written, as far as the turn has time. */
    public void settle(Desk desk) {
        for (PodUid pod : reconciler.due(desk.now())) {
            reconciler.reconcile(pod, desk);
            listener.accept(pod);
            if (desk.timeIsUp()) {
                return;
            }
        }
    }

    int retrying() {
        return reconciler.retrying();
    }

    public Optional<Instant> nextWake() {
        return reconciler.nextWake();
    }

    /** The API server's message, while no node may be nominated for the pod. */
    Optional<String> denial(PodUid pod) {
        return reconciler.denial(pod);
    }

    /** Whether the pod shows the node, and nothing is under way that says otherwise. */
    boolean shows(Pod pod, String node) {
        boolean other = reconciler
                .unconfirmed(pod.uid())
                .filter(write -> !write.node().equals(node))
                .isPresent();
        return pod.nominatedNode().orElse("").equals(node) && !other;
    }

    /** Whether the pod is to show no node although it does. */
    boolean retracts(PodUid pod) {
        Wish wish = wishes.get(pod);
        return wish != null && wish.node.isEmpty();
    }

    /** Whether there is nothing to write, to await or to remember. */
    public boolean isEmpty() {
        return wishes.isEmpty() && reconciler.isEmpty();
    }

    /** Pods are written with their UID alone as a precondition. */
    @Override
    public String version(PodUid pod) {
        return "";
    }

    @Override
    public Optional<Nominate> wanted(PodUid uid, Desk desk) {
        Wish wish = wishes.get(uid);
        if (wish == null) {
            return Optional.empty();
        }
        Optional<Pod> pod = desk.ledger().pod(uid).filter(Pod::waits);
        if (pod.isEmpty() || shows(pod.get(), wish.node)) {
            wishes.remove(uid);
            return Optional.empty();
        }
        return pod.map(it -> new Nominate(PodRef.of(it), wish.node, wish.door));
    }

    @Override
    public Subject subject(Nominate write) {
        return Subject.of(write.pod());
    }

    @Override
    public String consequence(Nominate write) {
        return write.node().isEmpty()
                ? "The pod still shows a nominated node that is not kept for it."
                : "Node %s cannot be nominated for the pod.".formatted(write.node());
    }
}
