package dev.berth.app.run;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.scheduling.Scheduler;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pod resourceVersion up to which all events were applied and their consequences are written: a successor that
 * resumes the watch there misses nothing. A version is a candidate until the loop is past it and no pod that was
 * deleted by then is pending; pods that are deleted later do not delay it. For one thread.
 */
final class ResumeVersion {
    private static final Logger LOG = LoggerFactory.getLogger(ResumeVersion.class);

    private final Supplier<String> versionRead;
    private final Loop loop;
    private String candidate = "";
    private CompletableFuture<Set<PodUid>> pendingPods = CompletableFuture.completedFuture(Set.of());
    private String durable = "";

    /** Runs queries on the loop, after everything that was in its inbox before. */
    interface Loop {
        CompletableFuture<Set<PodUid>> submit(Function<Scheduler, Set<PodUid>> query);
    }

    /** @param reached the version up to which pods were passed to the loop's inbox */
    ResumeVersion(Supplier<String> reached, Loop loop) {
        this.versionRead = reached;
        this.loop = loop;
    }

    /** The latest known version; empty before the first. Each call advances it by one step if possible. */
    Optional<String> advance() {
        // A loop that ended does not answer any more, but its earlier results are still valid.
        if (pendingPods.isDone() && !pendingPods.isCompletedExceptionally()) {
            Set<PodUid> left = pendingPods.join();
            if (left.isEmpty()) {
                durable = candidate;
                candidate = versionRead.get();
                submit(Scheduler::podsPendingDurability);
            } else {
                submit(scheduler -> stillPending(scheduler, left));
            }
        }
        return Optional.of(durable).filter(version -> !version.isEmpty());
    }

    private static Set<PodUid> stillPending(Scheduler scheduler, Set<PodUid> before) {
        Set<PodUid> pending = new TreeSet<>(scheduler.podsPendingDurability());
        pending.retainAll(before);
        return pending;
    }

    private void submit(Function<Scheduler, Set<PodUid>> query) {
        try {
            pendingPods = loop.submit(query);
        } catch (RejectedExecutionException busy) {
            LOG.debug("the loop is too busy to report its pending writes", busy);
            candidate = durable;
            pendingPods = CompletableFuture.completedFuture(Set.of());
        }
    }
}
