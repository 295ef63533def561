package dev.berth.core.queue;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.filter.ClusterEventKind;
import java.util.Optional;
import java.util.Set;

/** What refused pods wait for, one of them or many that are alike. Equal only to itself. */
public interface QueueingHint {
    /** The kinds of events that can help: no other is asked about. They may become more while it is asked. */
    Set<ClusterEventKind> eventKinds();

    /** Says no only when the happening cannot help the pod: a wrong yes costs one more look. */
    boolean mayHelp(ClusterEvent clusterEvent, PodUid pod);

    /**
     * The pods of which {@link #mayHelp} may say something else than of the rest, of which it says the same.
     *
     * @return empty when it may say something else of every pod that waits for this
     */
    Optional<Set<PodUid>> podsToAskOneByOne(ClusterEvent clusterEvent);

    /** The pod no longer waits for this. */
    void removePod(PodUid pod);

    /** The same for one pod that is no longer like the others who wait for this. */
    QueueingHint copyForOnePod();
}
