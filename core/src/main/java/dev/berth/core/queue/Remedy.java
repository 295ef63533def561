package dev.berth.core.queue;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.filter.Hint;
import java.util.Set;

/** What refused pods wait for, one of them or many that are alike. Equal only to itself. */
public interface Remedy {
    /** The kinds of events that can help: no other is asked about. They may become more while it is asked. */
    Set<Hint> hints();

    /** Says no only when the happening cannot help the pod: a wrong yes costs one more look. */
    boolean mayComeFrom(Happening happening, PodUid pod);

    /** Whether {@link #mayComeFrom} says the same of every pod that waits for this. */
    boolean sameForAll(Happening happening);

    /** The same for one pod that is no longer like the others who wait for this. */
    Remedy apart();
}
