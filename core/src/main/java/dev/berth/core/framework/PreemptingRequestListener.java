package dev.berth.core.framework;

import dev.berth.core.cluster.PodUid;

/**
 * A component that follows the placement requests that may preempt pods.
 *
 * @param <C> the handle that the component is given
 */
public interface PreemptingRequestListener<C extends Handle> extends Component<C> {
    /** The request is new or changed. */
    void onRequestUpsert(PreemptingRequest request, C handle);

    /** The request was placed or cancelled. A hold that the component keeps for it must be released now. */
    void onRequestEnd(PodUid request, C handle);
}
