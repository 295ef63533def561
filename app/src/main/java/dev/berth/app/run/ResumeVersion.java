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
 * The version up to which all that happened to pods has been taken in and its consequences are written: a successor that
 * hears what came after it misses nothing. A version is a candidate until the loop is past it and nothing is owed any
 * more to the pods that had gone by then; what later pods are owed does not hold it up. Asked by one thread.
 */
final class ResumeVersion {
    private static final Logger LOG = LoggerFactory.getLogger(ResumeVersion.class);

    private final Supplier<String> versionRead;
    private final Loop loop;
    private String candidate = "";
    private CompletableFuture<Set<PodUid>> pendingPods = CompletableFuture.completedFuture(Set.of());
    private String durable = "";

    /** Where questions are asked, after all that the loop's inbox was told before them. */
    interface Loop {
        CompletableFuture<Set<PodUid>> submit(Function<Scheduler, Set<PodUid>> question);
    }

    /** @param reached the version up to which the loop's inbox was told of pods */
    ResumeVersion(Supplier<String> reached, Loop loop) {
        this.versionRead = reached;
        this.loop = loop;
    }

    /** The latest known; empty before the first. Each call moves it on by a step where it can. */
    Optional<String> advance() {
        // A loop that ended says nothing more: what it said before still holds.
        if (pendingPods.isDone() && !pendingPods.isCompletedExceptionally()) {
            Set<PodUid> left = pendingPods.join();
            if (left.isEmpty()) {
                durable = candidate;
                candidate = versionRead.get();
                ask(Scheduler::podsPendingDurability);
            } else {
                ask(scheduler -> stillPending(scheduler, left));
            }
        }
        return Optional.of(durable).filter(version -> !version.isEmpty());
    }

    private static Set<PodUid> stillPending(Scheduler scheduler, Set<PodUid> before) {
        Set<PodUid> still = new TreeSet<>(scheduler.podsPendingDurability());
        still.retainAll(before);
        return still;
    }

    private void ask(Function<Scheduler, Set<PodUid>> question) {
        try {
            pendingPods = loop.submit(question);
        } catch (RejectedExecutionException busy) {
            LOG.debug("the loop is too busy to say what it owes", busy);
            candidate = durable;
            pendingPods = CompletableFuture.completedFuture(Set.of());
        }
    }
}
