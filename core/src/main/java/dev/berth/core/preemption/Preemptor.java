package dev.berth.core.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect.PodRef;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.framework.Handle;
import dev.berth.core.framework.PreemptingRequest;
import java.util.Optional;

/**
 * What victims are evicted for: a pod, or the object of a placement request.
 *
 * @param target the pod or the object, as the target of events
 */
public record Preemptor(EventTarget target, String schedulerName) {
    public static Preemptor ofPod(PodRef pod) {
        return new Preemptor(EventTarget.of(pod), pod.schedulerName());
    }

    static Preemptor of(Pod pod, Handle handle) {
        return handle.findPreemptingRequest(pod.uid())
                .map(request -> new Preemptor(request.object(), pod.schedulerName()))
                .orElseGet(() -> ofPod(PodRef.of(pod)));
    }

    /** The pod, or the placement request as a pod. */
    static Optional<Pod> find(PodUid uid, Handle handle) {
        return handle.ledger()
                .pod(uid)
                .or(() -> handle.findPreemptingRequest(uid).map(PreemptingRequest::pod));
    }

    /** Whether the pod or the placement request still needs a place. */
    static boolean awaitsPlacement(Pod pod, Handle handle) {
        return pod.awaitsBinding() || handle.findPreemptingRequest(pod.uid()).isPresent();
    }

    public boolean isPod() {
        return target.isPod();
    }

    /** As kube-scheduler writes it for pods; other objects have their kind and name. */
    String description() {
        return isPod() ? "pod " + target.uid() : target.toString();
    }
}
