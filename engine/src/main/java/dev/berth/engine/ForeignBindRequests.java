package dev.berth.engine;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.scheduling.ForeignBindResult;
import dev.berth.core.scheduling.Scheduler;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Binds that the extender requests for pods of other schedulers. Owned by the loop. */
final class ForeignBindRequests {
    static final String LEADERSHIP_LOST = "this replica may have lost leadership: retry";

    private final Scheduler scheduler;
    private final BindsInFlight bindsInFlight;
    private final InstantSource clock;

    ForeignBindRequests(Scheduler scheduler, BindsInFlight bindsInFlight, InstantSource clock) {
        this.scheduler = scheduler;
        this.bindsInFlight = bindsInFlight;
        this.clock = clock;
    }

    /**
     * Requests a bind; a repeated request waits for the first one.
     *
     * @return completes once the result is known: empty if the pod is bound to the node, else the reason why it is not
     */
    CompletableFuture<Optional<String>> bind(PodUid pod, String node) {
        ForeignBindResult result = scheduler.bindForeignPod(pod, node, clock.instant());
        if (result instanceof ForeignBindResult.Sent sent) {
            return bindsInFlight.awaitBind(sent.bind());
        }
        if (result instanceof ForeignBindResult.Refused refused) {
            return CompletableFuture.completedFuture(Optional.of(refused.message()));
        }
        if (!(result instanceof ForeignBindResult.AlreadyAssigned)) {
            throw new IllegalStateException("unknown result of a bind request (%s)".formatted(result));
        }
        Optional<Effect.Bind> earlier = bindsInFlight.findExtenderBind(pod, node);
        return earlier.map(bindsInFlight::awaitBind)
                .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
    }
}
