package dev.berth.core.scheduling;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The binds of assumed pods that wait for PreBind plugins. */
final class WaitingBinds {
    private final SchedulingContext schedulingContext;
    private final FailureHandler failureHandler;
    private final Map<PodUid, Effect.Bind> binds = new HashMap<>();

    /** Handles a bind that will not be sent. */
    interface FailureHandler {
        List<Effect> onBindFailed(Effect.Bind bind, Optional<String> message, Instant now);

        /** Calls the PreBind plugins to stop their work for the pod. */
        void onBindAborted(PodUid pod, Instant now);
    }

    WaitingBinds(SchedulingContext schedulingContext, FailureHandler failureHandler) {
        this.schedulingContext = schedulingContext;
        this.failureHandler = failureHandler;
    }

    void add(Effect.Bind bind) {
        binds.put(bind.pod().uid(), bind);
    }

    void release(PodUid pod) {
        Optional.ofNullable(binds.remove(pod)).ifPresent(schedulingContext::write);
    }

    /** Returns whether the pod's bind was waiting. */
    boolean abort(PodUid pod, String message, Instant now) {
        if (!binds.containsKey(pod)) {
            return false;
        }
        fail(pod, Optional.of(message), now);
        failureHandler.onBindAborted(pod, now);
        return true;
    }

    void fail(PodUid pod, Optional<String> message, Instant now) {
        Optional.ofNullable(binds.remove(pod))
                .ifPresent(
                        bind -> failureHandler.onBindFailed(bind, message, now).forEach(schedulingContext::write));
    }
}
