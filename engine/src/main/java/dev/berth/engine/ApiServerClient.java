package dev.berth.engine;

import dev.berth.core.effect.Effect;
import java.util.concurrent.CompletionStage;

/**
 * Writes effects to the API server. Calls return at once and complete on any thread. Each write is sent once, with a
 * {@link WriteResponse} as its result: the caller decides about retries. A failure of the network or the server does not
 * complete a stage exceptionally: it is {@link WriteResponse.Unknown}.
 */
public interface ApiServerClient {
    CompletionStage<WriteResponse> bind(Effect.Bind bind);

    CompletionStage<WriteResponse> markUnscheduled(Effect.MarkUnscheduled mark);

    CompletionStage<WriteResponse> recordEvent(Effect.RecordEvent event);

    /** Writes an object of a door or plugin. The write is safe to send twice. */
    CompletionStage<WriteResponse> write(Effect.Write write);

    /** Reads the pod with a consistent read, to find the result of a bind whose response was lost. */
    CompletionStage<PodLookupResult> findPod(Effect.PodRef pod);
}
