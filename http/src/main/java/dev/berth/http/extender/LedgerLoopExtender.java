package dev.berth.http.extender;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.SnapshotFilter;
import dev.berth.core.placement.filter.Veto;
import dev.berth.engine.LedgerLoop;
import dev.berth.engine.LoopClient;
import dev.berth.engine.LoopUnavailableException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The extender of the loop in this process. A filter call reads the published state on its own thread and does not wait
 * for the loop; a bind is a command of the loop.
 */
public final class LedgerLoopExtender implements Extender {
    private final LedgerLoop loop;
    private final LoopClient loopClient;
    private final Object lock = new Object();
    // Guarded by the lock.
    private SnapshotFilter filter;

    /** @param timeout how long a bind waits for the loop: less than the other scheduler waits */
    public LedgerLoopExtender(LedgerLoop loop, Duration timeout) {
        this.loop = loop;
        this.loopClient = new LoopClient(loop, timeout);
        this.filter = new SnapshotFilter(loop.filterState());
    }

    @Override
    public Map<String, List<Veto>> filter(Pod pod, List<String> nodes) throws ExtenderUnavailable {
        if (!loop.isReady()) {
            throw new ExtenderUnavailable(
                    "Berth has not listed the cluster yet, this replica is not the leader, or it is stopping");
        }
        synchronized (lock) {
            try {
                return filter.filter(loop.filterState(), pod, nodes);
            } catch (RuntimeException bug) {
                // A call that failed may have left half an index: the next call starts from the published state.
                filter = new SnapshotFilter(loop.filterState());
                throw bug;
            }
        }
    }

    @Override
    public Optional<String> bind(PodUid pod, String node) throws ExtenderUnavailable, InterruptedException {
        try {
            return loopClient.bind(pod, node);
        } catch (LoopUnavailableException unavailable) {
            throw new ExtenderUnavailable(unavailable.message());
        }
    }
}
