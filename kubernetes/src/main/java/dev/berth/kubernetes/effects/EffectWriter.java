package dev.berth.kubernetes.effects;

import dev.berth.core.effect.Effect;
import dev.berth.engine.ApiServerClient;
import dev.berth.engine.PodLookupResult;
import dev.berth.engine.WriteResponse;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.api.Status;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.format.StreamReaders;
import dev.berth.kubernetes.format.WireFormat;
import dev.berth.kubernetes.http2.RequestFailedException;
import dev.berth.kubernetes.http2.Response;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Writes effects to the API server. Safe from any thread. */
public final class EffectWriter implements ApiServerClient {
    private static final String STRATEGIC_MERGE = "application/strategic-merge-patch+json";
    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;
    private static final int UNSUPPORTED_MEDIA_TYPE = 415;
    private static final CompletableFuture<WriteResponse> ALREADY_WRITTEN =
            CompletableFuture.completedFuture(new WriteResponse.Succeeded());

    private final ApiClient client;
    private final WriteEncoders writeEncoders;
    private final ConditionDeduplicator conditions;
    private final EventDeduplicator events;
    private final EffectSettings settings;
    private final InstantSource clock;
    private final String timeoutQuery;
    private volatile boolean jsonOnly;

    /** @param conditions filled by the pod informer, so that no condition is written twice */
    public EffectWriter(
            ApiClient client, ConditionDeduplicator conditions, EffectSettings settings, InstantSource clock) {
        this(client, conditions, settings, clock, new WriteEncoders());
    }

    /** @param encoders the encoders of all door writes */
    public EffectWriter(
            ApiClient client,
            ConditionDeduplicator conditions,
            EffectSettings settings,
            InstantSource clock,
            WriteEncoders encoders) {
        this.client = client;
        this.writeEncoders = encoders;
        this.conditions = conditions;
        this.events = new EventDeduplicator(settings.eventWindow());
        this.settings = settings;
        this.clock = clock;
        this.timeoutQuery = "?timeout=%dms".formatted(settings.writeTimeout().toMillis());
    }

    @Override
    public CompletionStage<WriteResponse> bind(Effect.Bind bind) {
        String path = podPath(bind.pod()) + "/binding" + timeoutQuery;
        return create(path, () -> RequestBodies.binding(bind), () -> RequestBodies.bindingJson(bind))
                .handle((response, failure) -> failure == null
                        ? ResponseClassifier.classifyBind(bind, response)
                        : ResponseClassifier.classifyFailure(failure));
    }

    @Override
    public CompletionStage<WriteResponse> markUnscheduled(Effect.MarkUnscheduled mark) {
        if (conditions.isAlreadyWritten(mark)) {
            return ALREADY_WRITTEN;
        }
        Instant since = conditions.lastTransition(mark, clock.instant());
        byte[] patch = RequestBodies.condition(mark, conditions.generation(mark), since);
        return client.send(
                        "PATCH",
                        podPath(mark.pod()) + "/status" + timeoutQuery,
                        STRATEGIC_MERGE,
                        patch,
                        settings.writeTimeout())
                .handle((response, failure) -> {
                    WriteResponse writeResponse = failure == null
                            ? ResponseClassifier.classify(response, "patch pods/status")
                            : ResponseClassifier.classifyFailure(failure);
                    if (writeResponse instanceof WriteResponse.Succeeded) {
                        conditions.recordWritten(mark, since);
                    }
                    return writeResponse;
                });
    }

    @Override
    public CompletionStage<WriteResponse> recordEvent(Effect.RecordEvent event) {
        Instant now = clock.instant();
        Optional<String> name = events.nameUnlessRecent(event, now);
        if (name.isEmpty()) {
            return ALREADY_WRITTEN;
        }
        RequestBodies.EventBody eventBody = new RequestBodies.EventBody(event, name.get(), settings.instance(), now);
        String path = "/apis/events.k8s.io/v1/namespaces/" + eventBody.namespace() + "/events" + timeoutQuery;
        return create(path, () -> RequestBodies.event(eventBody), () -> RequestBodies.eventJson(eventBody))
                .handle((response, failure) -> {
                    WriteResponse writeResponse = failure == null
                            ? classifyEventResponse(response)
                            : ResponseClassifier.classifyFailure(failure);
                    if (writeResponse instanceof WriteResponse.Succeeded) {
                        events.recordWritten(event);
                    }
                    return writeResponse;
                });
    }

    @Override
    public CompletionStage<WriteResponse> write(Effect.Write write) {
        WriteRequest request = writeEncoders.encode(write);
        return client.send(
                        request.method(),
                        request.path() + timeoutQuery,
                        request.contentType(),
                        request.body().toBytes(),
                        settings.writeTimeout())
                .handle((response, failure) -> failure == null
                        ? ResponseClassifier.classify(response, request.verbAndResource())
                        : ResponseClassifier.classifyFailure(failure));
    }

    /** An event of the same name is this one: an earlier response was lost. */
    private static WriteResponse classifyEventResponse(Response response) {
        return response.status() == CONFLICT
                ? new WriteResponse.Succeeded()
                : ResponseClassifier.classify(response, "create events.events.k8s.io");
    }

    @Override
    public CompletionStage<PodLookupResult> findPod(Effect.PodRef pod) {
        return client.get(podPath(pod), WireFormat.JSON.mediaType(), settings.writeTimeout())
                .handle((response, failure) -> failure == null
                        ? parsePodLookup(pod, response)
                        : new PodLookupResult.ReadFailed(RequestFailedException.messageOf(failure)));
    }

    private static PodLookupResult parsePodLookup(Effect.PodRef pod, Response response) {
        if (response.status() == NOT_FOUND) {
            return new PodLookupResult.NotFound();
        }
        if (!response.head().isSuccessful()) {
            return new PodLookupResult.ReadFailed(Status.of(response).toString());
        }
        List<PodLookupResult> found = new ArrayList<>();
        try {
            WireFormat format = WireFormat.fromContentType(
                    response.head().header("content-type").orElse(""));
            new StreamReaders()
                    .readObject(
                            format,
                            response.body(),
                            in -> found.add(PodUidAndNode.read(in).lookupResultFor(pod)));
            return found.get(0);
        } catch (MalformedObjectException malformed) {
            return new PodLookupResult.ReadFailed(String.valueOf(malformed.getMessage()));
        }
    }

    /** In protobuf. If the server does not support that, the request is repeated in JSON, and so are all later ones. */
    private CompletableFuture<Response> create(String path, Supplier<byte[]> protobuf, Supplier<byte[]> json) {
        if (jsonOnly) {
            return post(path, WireFormat.JSON, json.get());
        }
        return post(path, WireFormat.PROTOBUF, protobuf.get()).thenCompose(response -> {
            if (response.status() != UNSUPPORTED_MEDIA_TYPE) {
                return CompletableFuture.completedFuture(response);
            }
            jsonOnly = true;
            return post(path, WireFormat.JSON, json.get());
        });
    }

    private CompletableFuture<Response> post(String path, WireFormat format, byte[] body) {
        return client.send("POST", path, format.mediaType(), body, settings.writeTimeout());
    }

    private static String podPath(Effect.PodRef pod) {
        return "/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name();
    }
}
