package dev.berth.engine;

import dev.berth.core.ledger.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

/** Callers that wait for a snapshot with a certain property. Owned by the loop. */
final class AwaitedSnapshots {
    private record AwaitedSnapshot(Predicate<Snapshot> condition, CompletableFuture<Snapshot> future) {
        private boolean completeIfMet(Snapshot now) {
            if (!future.isDone() && condition.test(now)) {
                future.complete(now);
            }
            return future.isDone();
        }
    }

    private final List<AwaitedSnapshot> awaited = new ArrayList<>();

    void add(Predicate<Snapshot> condition, CompletableFuture<Snapshot> future) {
        awaited.add(new AwaitedSnapshot(condition, future));
    }

    void onPublished(Snapshot snapshot) {
        if (!awaited.isEmpty()) {
            awaited.removeIf(it -> it.completeIfMet(snapshot));
        }
    }

    void rejectAll(IllegalStateException why) {
        awaited.forEach(it -> it.future.completeExceptionally(why));
        awaited.clear();
    }
}
