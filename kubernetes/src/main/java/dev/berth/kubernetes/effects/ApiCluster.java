package dev.berth.kubernetes.effects;

import dev.berth.core.decision.Effect;
import dev.berth.engine.Answer;
import dev.berth.engine.Cluster;
import dev.berth.engine.Whereabouts;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.api.Status;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.format.Format;
import dev.berth.kubernetes.format.Readers;
import dev.berth.kubernetes.http2.RequestFailed;
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
public final class ApiCluster implements Cluster {
    private static final String STRATEGIC_MERGE = "application/strategic-merge-patch+json";
    private static final int CONFLICT = 409;
    private static final int NOT_FOUND = 404;
    private static final int UNSUPPORTED_MEDIA_TYPE = 415;
    private static final CompletableFuture<Answer> NOTHING_TO_DO = CompletableFuture.completedFuture(new Answer.Done());

    private final ApiClient client;
    private final ObjectForms forms;
    private final ConditionBook conditions;
    private final EventBook events;
    private final EffectSettings settings;
    private final InstantSource clock;
    private final String deadline;
    private volatile boolean jsonOnly;

    /**
     * Makes the way out.
     *
     * @param conditions filled by the feed of pods, so that no condition is written twice
     */
    public ApiCluster(ApiClient client, ConditionBook conditions, EffectSettings settings, InstantSource clock) {
        this(client, conditions, settings, clock, new ObjectForms());
    }

    /** @param forms of everything that doors write */
    public ApiCluster(
            ApiClient client,
            ConditionBook conditions,
            EffectSettings settings,
            InstantSource clock,
            ObjectForms forms) {
        this.client = client;
        this.forms = forms;
        this.conditions = conditions;
        this.events = new EventBook(settings.eventWindow());
        this.settings = settings;
        this.clock = clock;
        this.deadline = "?timeout=%dms".formatted(settings.writeTimeout().toMillis());
    }

    @Override
    public CompletionStage<Answer> bind(Effect.Bind bind) {
        String path = pod(bind.pod()) + "/binding" + deadline;
        return create(path, () -> Bodies.binding(bind), () -> Bodies.bindingJson(bind))
                .handle((response, failure) -> failure == null ? Answers.of(bind, response) : Answers.of(failure));
    }

    @Override
    public CompletionStage<Answer> mark(Effect.MarkUnscheduled mark) {
        if (conditions.says(mark)) {
            return NOTHING_TO_DO;
        }
        Instant since = conditions.since(mark, clock.instant());
        byte[] patch = Bodies.condition(mark, conditions.generation(mark), since);
        return client.send(
                        "PATCH",
                        pod(mark.pod()) + "/status" + deadline,
                        STRATEGIC_MERGE,
                        patch,
                        settings.writeTimeout())
                .handle((response, failure) -> {
                    Answer answer = failure == null ? Answers.of(response, "patch pods/status") : Answers.of(failure);
                    if (answer instanceof Answer.Done) {
                        conditions.written(mark, since);
                    }
                    return answer;
                });
    }

    @Override
    public CompletionStage<Answer> announce(Effect.Announce announcement) {
        Instant now = clock.instant();
        Optional<String> name = events.nameFor(announcement, now);
        if (name.isEmpty()) {
            return NOTHING_TO_DO;
        }
        Bodies.EventBody event = new Bodies.EventBody(announcement, name.get(), settings.instance(), now);
        String path = "/apis/events.k8s.io/v1/namespaces/" + event.namespace() + "/events" + deadline;
        return create(path, () -> Bodies.event(event), () -> Bodies.eventJson(event))
                .handle((response, failure) -> {
                    Answer answer = failure == null ? announced(response) : Answers.of(failure);
                    if (answer instanceof Answer.Done) {
                        events.written(announcement);
                    }
                    return answer;
                });
    }

    @Override
    public CompletionStage<Answer> write(Effect.Write write) {
        ObjectRequest request = forms.of(write);
        return client.send(
                        request.method(),
                        request.path() + deadline,
                        request.contentType(),
                        request.body().write(),
                        settings.writeTimeout())
                .handle((response, failure) ->
                        failure == null ? Answers.of(response, request.words()) : Answers.of(failure));
    }

    /** One of the same name is this very one: an answer was lost before. */
    private static Answer announced(Response response) {
        return response.status() == CONFLICT ? new Answer.Done() : Answers.of(response, "create events.events.k8s.io");
    }

    @Override
    public CompletionStage<Whereabouts> find(Effect.PodRef pod) {
        return client.get(pod(pod), Format.JSON.mediaType(), settings.writeTimeout())
                .handle((response, failure) ->
                        failure == null ? place(pod, response) : new Whereabouts.NotKnown(RequestFailed.why(failure)));
    }

    private static Whereabouts place(Effect.PodRef pod, Response response) {
        if (response.status() == NOT_FOUND) {
            return new Whereabouts.Gone();
        }
        if (!response.head().successful()) {
            return new Whereabouts.NotKnown(Status.of(response).toString());
        }
        List<Whereabouts> found = new ArrayList<>();
        try {
            Format format = Format.of(response.head().header("content-type").orElse(""));
            new Readers()
                    .object(
                            format,
                            response.body(),
                            in -> found.add(PodPlace.read(in).of(pod)));
            return found.get(0);
        } catch (MalformedObject malformed) {
            return new Whereabouts.NotKnown(String.valueOf(malformed.getMessage()));
        }
    }

    /** In protobuf, until the server says that it has none: then the same once more in JSON, and all that follow. */
    private CompletableFuture<Response> create(String path, Supplier<byte[]> protobuf, Supplier<byte[]> json) {
        if (jsonOnly) {
            return post(path, Format.JSON, json.get());
        }
        return post(path, Format.PROTOBUF, protobuf.get()).thenCompose(response -> {
            if (response.status() != UNSUPPORTED_MEDIA_TYPE) {
                return CompletableFuture.completedFuture(response);
            }
            jsonOnly = true;
            return post(path, Format.JSON, json.get());
        });
    }

    private CompletableFuture<Response> post(String path, Format format, byte[] body) {
        return client.send("POST", path, format.mediaType(), body, settings.writeTimeout());
    }

    private static String pod(Effect.PodRef pod) {
        return "/api/v1/namespaces/" + pod.namespace() + "/pods/" + pod.name();
    }
}
