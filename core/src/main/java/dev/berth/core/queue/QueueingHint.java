package dev.berth.core.queue;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.filter.ClusterEventKind;
import java.util.Optional;
import java.util.Set;

/** The events that unschedulable pods wait for: one pod or many equivalent ones. Compared by identity. */
public interface QueueingHint {
    /** The kinds of events that can help; other events are not checked. The set may grow during a check. */
    Set<ClusterEventKind> eventKinds();

    /** Returns false only if the event cannot help the pod. A wrong true costs one scheduling attempt. */
    boolean mayHelp(ClusterEvent clusterEvent, PodUid pod);

    /**
     * The pods for which {@link #mayHelp} may differ from the common result of the rest.
     *
     * @return empty if the result may differ for every pod
     */
    Optional<Set<PodUid>> podsToCheckOneByOne(ClusterEvent clusterEvent);

    /** The pod no longer waits for these events. */
    void removePod(PodUid pod);

    /** A copy for one pod that is no longer equivalent to the others. */
    QueueingHint copyForOnePod();
}
