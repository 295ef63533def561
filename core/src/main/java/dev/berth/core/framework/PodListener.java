package dev.berth.core.framework;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.HoldId;
import java.util.Optional;

/**
 * A component that is called for every change of a pod. Other components are not called, because pods change often.
 *
 * @param <C> the handle that the component is given
 */
public interface PodListener<C extends Handle> extends Component<C> {
    /** Whether the component currently needs no calls for pods that are {@link Pod#isPlain}. */
    boolean ignoresPlainPods();

    /**
     * A pod was added or changed. The ledger already has it.
     *
     * @param usedHold the hold that a finished pod used. It may differ from the pod's annotation, which a user can edit.
     *     Empty while the pod is not finished: then the ledger has the claim.
     */
    void onPodUpsert(Optional<Pod> before, Pod pod, Optional<HoldId> usedHold, C handle);

    /**
     * A pod was deleted, from the ledger too. A hold that is put now takes effect before the queue is notified of the
     * free resources.
     *
     * @param usedHold the hold that the pod used. It may differ from the pod's annotation, which a user can edit.
     */
    void onPodDelete(Pod pod, Optional<HoldId> usedHold, C handle);
}
