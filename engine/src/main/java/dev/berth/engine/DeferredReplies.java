package dev.berth.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Replies that wait for the snapshot with their outcome. A caller that reads the snapshot after its reply therefore finds
 * the outcome there. Owned by the loop.
 */
final class DeferredReplies {
    private record DeferredReply(Runnable complete, CompletableFuture<?> future) {}

    private final List<DeferredReply> replies = new ArrayList<>();

    <T> void complete(CompletableFuture<T> future, T outcome) {
        replies.add(new DeferredReply(() -> future.complete(outcome), future));
    }

    void fail(CompletableFuture<?> future, RuntimeException failure) {
        replies.add(new DeferredReply(() -> future.completeExceptionally(failure), future));
    }

    /** Call this once the snapshot is published. */
    void onPublished() {
        replies.forEach(reply -> reply.complete.run());
        replies.clear();
    }

    /** No further snapshot will be published. */
    void rejectAll(IllegalStateException why) {
        replies.forEach(reply -> reply.future.completeExceptionally(why));
        replies.clear();
    }
}
