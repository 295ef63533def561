package dev.berth.engine;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.queue.SchedulingAttempt;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * All binds in flight: how often each was sent, its scheduling attempt, and the extender call that waits for it. A bind
 * is here from its first send, or from the extender's request, until its result is known. Owned by the loop.
 */
final class BindsInFlight {
    /** A bind whose result is not known yet. */
    static final class BindInFlight {
        private final Effect.Bind bind;
        private Optional<SchedulingAttempt> attempt = Optional.empty();
        private Optional<CompletableFuture<Optional<String>>> extenderCall = Optional.empty();
        private int tries;
        private boolean responseLost;

        private BindInFlight(Effect.Bind bind) {
            this.bind = bind;
        }

        Effect.Bind bind() {
            return bind;
        }

        /** The attempt of Berth that chose the node; empty for a bind that the extender requested. */
        Optional<SchedulingAttempt> attempt() {
            return attempt;
        }

        void setAttempt(Optional<SchedulingAttempt> found) {
            attempt = found;
        }

        /** Completes with an empty value once the pod is bound, else with the reason why it is not. */
        Optional<CompletableFuture<Optional<String>>> extenderCall() {
            return extenderCall;
        }

        int tries() {
            return tries;
        }

        /** Whether a response was lost: the API server may still carry out that write, for as long as its timeout. */
        boolean responseLost() {
            return responseLost;
        }

        void markResponseLost() {
            responseLost = true;
        }
    }

    private final Map<Effect.Bind, BindInFlight> byBind = new HashMap<>();
    private int sent;

    /** The number of binds that were sent. */
    int sent() {
        return sent;
    }

    BindInFlight get(Effect.Bind bind) {
        return byBind.computeIfAbsent(bind, BindInFlight::new);
    }

    void countTry(BindInFlight inFlight) {
        sent += inFlight.tries == 0 ? 1 : 0;
        inFlight.tries++;
    }

    /** The future that the extender's call waits for; a repeated call waits for the same one. */
    CompletableFuture<Optional<String>> awaitBind(Effect.Bind bind) {
        BindInFlight inFlight = get(bind);
        CompletableFuture<Optional<String>> future = inFlight.extenderCall.orElseGet(CompletableFuture::new);
        inFlight.extenderCall = Optional.of(future);
        return future;
    }

    /** The bind that an earlier call of the extender caused; empty once its result is known. */
    Optional<Effect.Bind> findExtenderBind(PodUid pod, String node) {
        return byBind.values().stream()
                .filter(it -> it.extenderCall.isPresent())
                .map(BindInFlight::bind)
                .filter(bind -> bind.pod().uid().equals(pod) && bind.node().equals(node))
                .findFirst();
    }

    void remove(BindInFlight inFlight) {
        if (byBind.remove(inFlight.bind, inFlight)) {
            sent -= inFlight.tries > 0 ? 1 : 0;
        }
    }

    void rejectAll(IllegalStateException why) {
        byBind.values().forEach(it -> it.extenderCall.ifPresent(call -> call.completeExceptionally(why)));
    }
}
