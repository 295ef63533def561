package dev.berth.engine;

import dev.berth.core.effect.Effect;
import dev.berth.engine.BindsInFlight.BindInFlight;
import java.time.Duration;
import java.util.Optional;

/**
 * Sends binds to the API server until the result of each is known. A throttled bind is sent again; after a lost response
 * the dispatcher reads the pod. The ledger keeps the assumption meanwhile. Owned by the loop; responses come back through
 * its inbox.
 */
final class BindDispatcher {
    /** After so many attempts the cluster has changed: it is better to schedule the pod again. */
    private static final int MAX_TRIES = 5;

    private final DispatchContext context;
    private final BindsInFlight bindsInFlight;
    private final Duration writeTimeout;
    private final BindListener listener;

    /**
     * A read of a pod whose bind has an unknown result.
     *
     * @param resultIfUnbound the result of the bind if the pod is found unbound
     * @param isFinal whether the bind is not sent again after this read
     */
    private record PodLookup(WriteResponse resultIfUnbound, int tries, boolean isFinal) {
        private PodLookup next() {
            return new PodLookup(resultIfUnbound, tries + 1, isFinal);
        }
    }

    BindDispatcher(DispatchContext context, BindsInFlight bindsInFlight, Duration writeTimeout, BindListener listener) {
        this.context = context;
        this.bindsInFlight = bindsInFlight;
        this.writeTimeout = writeTimeout;
        this.listener = listener;
    }

    /** Receives the results of binds. */
    interface BindListener {
        /** What the watch has shown of the bind; empty while the pod is only assumed. */
        Optional<WriteResponse> observedResult(Effect.Bind bind);

        void onCompleted(BindInFlight inFlight, WriteResponse writeResponse);

        /** The bind was not sent, because this process may have lost leadership. */
        void onNotSent(BindInFlight inFlight);
    }

    void send(Effect.Bind bind) {
        send(bindsInFlight.get(bind));
    }

    private void send(BindInFlight inFlight) {
        if (context.mayWrite().getAsBoolean()) {
            bindsInFlight.countTry(inFlight);
            context.apiServerClient()
                    .bind(inFlight.bind())
                    .whenComplete((writeResponse, broken) ->
                            context.inbox().accept(() -> onResponse(inFlight, orUnknown(writeResponse, broken))));
        } else if (inFlight.responseLost()) {
            lookUpFinally(inFlight, new WriteResponse.Conflict("this replica may have lost leadership"));
        } else {
            bindsInFlight.remove(inFlight);
            listener.onNotSent(inFlight);
        }
    }

    private void onResponse(BindInFlight inFlight, WriteResponse writeResponse) {
        if (writeResponse instanceof WriteResponse.Throttled throttled && mayRetry(inFlight)) {
            schedule(
                    RetryDelays.atLeast(throttled.retryAfter(), inFlight.tries()),
                    () -> unlessObserved(inFlight, () -> send(inFlight)));
        } else if (writeResponse instanceof WriteResponse.Unknown) {
            inFlight.markResponseLost();
            lookUp(inFlight, new PodLookup(writeResponse, 1, false));
        } else if (inFlight.responseLost()
                && !(writeResponse instanceof WriteResponse.Succeeded)
                && !(writeResponse instanceof WriteResponse.NotFound)) {
            lookUpFinally(inFlight, writeResponse);
        } else {
            complete(inFlight, writeResponse);
        }
    }

    /** The watch shows the result even if the pod cannot be read, for example because a permission is missing. */
    private void unlessObserved(BindInFlight inFlight, Runnable otherwise) {
        listener.observedResult(inFlight.bind())
                .ifPresentOrElse(writeResponse -> complete(inFlight, writeResponse), otherwise);
    }

    private void lookUp(BindInFlight inFlight, PodLookup podLookup) {
        unlessObserved(
                inFlight,
                () -> context.apiServerClient()
                        .findPod(inFlight.bind().pod())
                        .whenComplete((found, broken) -> context.inbox()
                                .accept(() -> onPodRead(inFlight, podLookup, orReadFailed(found, broken)))));
    }

    /** The API server may carry out a write whose response was lost until the timeout of the write. */
    private void lookUpFinally(BindInFlight inFlight, WriteResponse otherwise) {
        schedule(writeTimeout, () -> lookUp(inFlight, new PodLookup(otherwise, 1, true)));
    }

    private void onPodRead(BindInFlight inFlight, PodLookup podLookup, PodLookupResult podLookupResult) {
        if (podLookupResult instanceof PodLookupResult.Bound on) {
            boolean ours = on.node().equals(inFlight.bind().node());
            complete(
                    inFlight,
                    ours
                            ? new WriteResponse.Succeeded()
                            : new WriteResponse.Conflict("the pod was bound to node " + on.node() + " meanwhile"));
        } else if (podLookupResult instanceof PodLookupResult.NotFound) {
            complete(inFlight, new WriteResponse.NotFound("the pod was deleted meanwhile"));
        } else if (podLookupResult instanceof PodLookupResult.ReadFailed) {
            // The write may have happened: the pod stays assumed until a read or the watch shows the result.
            schedule(RetryDelays.after(podLookup.tries()), () -> lookUp(inFlight, podLookup.next()));
        } else if (podLookupResult instanceof PodLookupResult.Unbound) {
            onUnbound(inFlight, podLookup);
        } else {
            throw new IllegalStateException("unknown result of a read (%s)".formatted(podLookupResult));
        }
    }

    private void onUnbound(BindInFlight inFlight, PodLookup podLookup) {
        if (podLookup.isFinal()) {
            complete(inFlight, podLookup.resultIfUnbound());
        } else if (mayRetry(inFlight)) {
            schedule(RetryDelays.after(podLookup.tries()), () -> unlessObserved(inFlight, () -> send(inFlight)));
        } else {
            lookUpFinally(inFlight, podLookup.resultIfUnbound());
        }
    }

    private void complete(BindInFlight inFlight, WriteResponse writeResponse) {
        bindsInFlight.remove(inFlight);
        listener.onCompleted(inFlight, writeResponse);
    }

    private static boolean mayRetry(BindInFlight inFlight) {
        return inFlight.tries() < MAX_TRIES;
    }

    private void schedule(Duration delay, Runnable work) {
        context.delayedTasks().schedule(context.clock().instant().plus(delay), work);
    }

    @SuppressWarnings("NullAway") // Exactly one of the two arguments of whenComplete is null.
    static WriteResponse orUnknown(WriteResponse writeResponse, Throwable broken) {
        return broken == null ? writeResponse : new WriteResponse.Unknown(broken.toString());
    }

    @SuppressWarnings("NullAway") // Exactly one of the two arguments of whenComplete is null.
    private static PodLookupResult orReadFailed(PodLookupResult found, Throwable broken) {
        return broken == null ? found : new PodLookupResult.ReadFailed(broken.toString());
    }
}
