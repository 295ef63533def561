package dev.berth.engine;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.engine.BindsInFlight.BindInFlight;
import dev.berth.engine.metrics.AttemptMetrics;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Passes the result of each bind to the scheduler, to the metrics and to the extender's call that waits for it. */
final class BindResultHandler implements BindDispatcher.BindListener {
    private final Scheduler scheduler;
    private final AttemptMetrics attemptMetrics;
    private final DeferredReplies replies;
    private final InstantSource clock;
    private final Consumer<Effect> dispatch;

    /** @param dispatch sends the effects that a result causes, such as the event Scheduled */
    BindResultHandler(
            Scheduler scheduler,
            AttemptMetrics attemptMetrics,
            DeferredReplies replies,
            InstantSource clock,
            Consumer<Effect> dispatch) {
        this.scheduler = scheduler;
        this.attemptMetrics = attemptMetrics;
        this.replies = replies;
        this.clock = clock;
        this.dispatch = dispatch;
    }

    @Override
    public Optional<WriteResponse> observedResult(Effect.Bind bind) {
        PodUid uid = bind.pod().uid();
        Optional<Pod> pod = scheduler.ledger().pod(uid);
        if (pod.isEmpty()) {
            return Optional.of(new WriteResponse.NotFound("the watch shows that the pod was deleted"));
        }
        if (scheduler.ledger().assumption(uid).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(
                pod.get().nodeName().equals(Optional.of(bind.node()))
                        ? new WriteResponse.Succeeded()
                        : new WriteResponse.Conflict("the watch shows the pod on another node or finished"));
    }

    @Override
    public void onCompleted(BindInFlight inFlight, WriteResponse writeResponse) {
        replyToExtender(inFlight, failureMessage(writeResponse));
        Effect.Bind bind = inFlight.bind();
        List<Effect> effects;
        if (writeResponse instanceof WriteResponse.Succeeded) {
            inFlight.attempt().ifPresent(attempt -> attemptMetrics.onBound(bind, attempt));
            effects = scheduler.onBound(bind);
        } else if (writeResponse instanceof WriteResponse.Denied denied) {
            effects = scheduler.onBindFailed(
                    bind, Optional.of(bindDeniedMessage(bind, denied.message())), clock.instant());
        } else {
            effects = scheduler.onBindFailed(bind, Optional.empty(), clock.instant());
        }
        effects.forEach(dispatch);
    }

    @Override
    public void onNotSent(BindInFlight inFlight) {
        scheduler.onBindNotSent(inFlight.bind(), clock.instant());
        replyToExtender(inFlight, Optional.of(ForeignBindRequests.LEADERSHIP_LOST));
    }

    private void replyToExtender(BindInFlight inFlight, Optional<String> failure) {
        inFlight.extenderCall().ifPresent(call -> replies.complete(call, failure));
    }

    private static Optional<String> failureMessage(WriteResponse writeResponse) {
        if (writeResponse instanceof WriteResponse.Succeeded) {
            return Optional.empty();
        } else if (writeResponse instanceof WriteResponse.Conflict conflict) {
            return Optional.of(conflict.message());
        } else if (writeResponse instanceof WriteResponse.NotFound notFound) {
            return Optional.of(notFound.message());
        } else if (writeResponse instanceof WriteResponse.Denied denied) {
            return Optional.of(denied.message());
        } else if (writeResponse instanceof WriteResponse.Throttled throttled) {
            return Optional.of(throttled.message());
        } else if (writeResponse instanceof WriteResponse.Unknown unknown) {
            return Optional.of(unknown.message());
        }
        throw new IllegalStateException("unknown response (%s)".formatted(writeResponse));
    }

    private static String bindDeniedMessage(Effect.Bind bind, String message) {
        return "the API server denied binding to node %s: %s".formatted(bind.node(), message);
    }
}
