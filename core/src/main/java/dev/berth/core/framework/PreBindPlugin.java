package dev.berth.core.framework;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.Placement;

/** The PreBind extension point: work that must be done for an assumed pod before it is bound. */
public interface PreBindPlugin {
    /**
     * A pod of Berth's schedulers is assumed on its node.
     *
     * @return whether the bind waits until the plugin calls {@link Handle#releaseBind} or {@link Handle#failBind}
     */
    boolean preBind(Pod pod, Placement.Placed placed, Handle handle);

    /**
     * A different component aborted the waiting bind by {@link Handle#abortBind}: the plugin stops its work for the
     * pod.
     */
    void onBindAborted(PodUid pod, Handle handle);
}
