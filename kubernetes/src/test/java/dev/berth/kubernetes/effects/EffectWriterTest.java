package dev.berth.kubernetes.effects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.Effect.MarkUnscheduled.Reason;
import dev.berth.core.effect.Effect.RecordEvent.EventTemplate;
import dev.berth.engine.PodLookupResult;
import dev.berth.engine.WriteResponse;
import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubeclient.kubeconfig.Credentials;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.http2.ConnectionSettings;
import dev.berth.kubernetes.http2.ScriptedServer;
import dev.berth.kubernetes.http2.ScriptedServer.IncomingRequest;
import dev.berth.kubernetes.projection.ObservedPod;
import dev.berth.kubernetes.projection.ObservedPod.UnscheduledCondition;
import dev.berth.kubernetes.time.ManualTimer;
import dev.berth.sandbox.protobuf.ProtobufCodec;
import dev.berth.sandbox.schema.BuiltInSchemas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class EffectWriterTest {
    private static final Effect.PodRef POD = new Effect.PodRef("shop", "web-0", new PodUid("u-1"), "berth-scheduler");
    private static final Effect.Bind BIND = new Effect.Bind(POD, "node-1", Map.of("berth.dev/hold", "h 1"));

    private final ManualTimer time = new ManualTimer();
    private final List<IncomingRequest> requests = new CopyOnWriteArrayList<>();
    private volatile ScriptedServer.Script script = in -> in.reply(201, "{}");
    private final ScriptedServer server = ScriptedServer.serving(in -> {
        requests.add(in);
        script.serve(in);
    });
    private final ApiClient client = new ApiClient(
            new ClientConfig(server.endpoint(), "/base", Credentials.ofBearerToken("secret"), "default"),
            ConnectionSettings.DEFAULT,
            "berth/test");
    private final ConditionDeduplicator book = new ConditionDeduplicator();
    private final EffectWriter cluster = cluster(Duration.ofSeconds(20));

    private EffectWriter cluster(Duration timeout) {
        return new EffectWriter(client, book, new EffectSettings(timeout, Duration.ofMinutes(5), "host-1"), time);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void aBindingCarriesTheUidAsPreconditionAndTheAnnotations() throws Exception {
        assertThat(await(cluster.bind(BIND))).isEqualTo(new WriteResponse.Succeeded());
        IncomingRequest request = requests.get(0);
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.path()).isEqualTo("/base/api/v1/namespaces/shop/pods/web-0/binding?timeout=20000ms");
        assertThat(request.header("content-type")).contains("application/vnd.kubernetes.protobuf");
        assertThat(request.header("authorization")).contains("Bearer secret");
        assertThat(request.header("user-agent")).contains("berth/test");
        JsonNode binding = new ProtobufCodec(BuiltInSchemas.load()).decode(request.bytes());
        assertThat(binding.at("/kind").asText()).isEqualTo("Binding");
        assertThat(binding.at("/metadata/name").asText()).isEqualTo("web-0");
        assertThat(binding.at("/metadata/namespace").asText()).isEqualTo("shop");
        assertThat(binding.at("/metadata/uid").asText()).isEqualTo("u-1");
        assertThat(binding.at("/metadata/annotations").toString()).isEqualTo("{\"berth.dev/hold\":\"h 1\"}");
        assertThat(binding.at("/target/kind").asText()).isEqualTo("Node");
        assertThat(binding.at("/target/name").asText()).isEqualTo("node-1");
    }

    @Test
    void eachStatusCodeIsClassifiedByWhatCanBeDoneAboutIt() {
        assertThat(bound(409, "pod web-0 is already assigned to node \\\"node-1\\\""))
                .isEqualTo(new WriteResponse.Succeeded());
        assertThat(bound(409, "pod web-0 is already assigned to node \\\"node-2\\\""))
                .isInstanceOf(WriteResponse.Conflict.class);
        assertThat(bound(409, "Precondition failed: UID in precondition: u-1, UID in object meta: u-2"))
                .isInstanceOf(WriteResponse.NotFound.class);
        assertThat(bound(404, "pods \\\"web-0\\\" not found")).isInstanceOf(WriteResponse.NotFound.class);
        assertThat(bound(403, "admission webhook \\\"guard\\\" denied the request: held for others"))
                .isEqualTo(new WriteResponse.Denied(
                        "admission webhook \"guard\" denied the request: held for others", "create pods/binding"));
        assertThat(bound(
                        403,
                        "pods \\\"p\\\" is forbidden: User \\\"berth\\\" cannot create resource \\\"pods/binding\\\""))
                .isEqualTo(new WriteResponse.Denied(
                        "pods \"p\" is forbidden: User \"berth\" cannot create resource \"pods/binding\". The ClusterRole of Berth's user lacks this permission. Maybe run \"berth install | kubectl apply -f -\"",
                        "create pods/binding"));
        assertThat(bound(422, "Pod \\\"p\\\" is invalid: spec")).isInstanceOf(WriteResponse.Denied.class);
        assertThat(bound(422, "Pod \\\"p\\\" is invalid: metadata.uid: Invalid value: \\\"u\\\": field is immutable"))
                .isInstanceOf(WriteResponse.NotFound.class);
        assertThat(bound(500, "etcdserver: request timed out")).isInstanceOf(WriteResponse.Unknown.class);
        assertThat(bound(503, "shutting down")).isInstanceOf(WriteResponse.Unknown.class);
        assertThat(bound(504, "timeout")).isInstanceOf(WriteResponse.Unknown.class);
        assertThat(bound(401, "Unauthorized"))
                .isInstanceOfSatisfying(
                        WriteResponse.Throttled.class,
                        refused -> assertThat(refused.message())
                                .isEqualTo("401: Unauthorized. The API server does not accept Berth's credentials:"
                                        + " they are wrong or expired"));
    }

    @Test
    void aThrottledWriteCarriesRetryAfter() throws Exception {
        script = in -> in.reply(429, "{\"code\":429,\"message\":\"slow\",\"details\":{\"retryAfterSeconds\":7}}");
        assertThat(await(cluster.bind(BIND)))
                .isInstanceOfSatisfying(
                        WriteResponse.Throttled.class,
                        busy -> assertThat(busy.retryAfter()).isEqualTo(Duration.ofSeconds(7)));
    }

    @Test
    void aWriteWithoutAResponseHasAnUnknownResult() throws Exception {
        script = IncomingRequest::dropConnection;
        assertThat(await(cluster.bind(BIND))).isInstanceOf(WriteResponse.Unknown.class);
        script = in -> {};
        assertThat(await(cluster(Duration.ofMillis(100)).bind(BIND))).isInstanceOf(WriteResponse.Unknown.class);
    }

    @Test
    void aWriteThatCannotConnectIsRetriedAsNotSent() throws Exception {
        server.close();
        assertThat(await(cluster.bind(BIND)))
                .isInstanceOfSatisfying(
                        WriteResponse.Throttled.class,
                        unsent -> assertThat(unsent.message()).contains("cannot connect"));
    }

    @Test
    void aServerWithoutProtobufGetsJson() throws Exception {
        script = in -> {
            boolean json = in.header("content-type").orElse("").equals("application/json");
            in.reply(json ? 201 : 415, "{}");
        };
        assertThat(await(cluster.bind(BIND))).isEqualTo(new WriteResponse.Succeeded());
        assertThat(await(cluster.bind(BIND))).isEqualTo(new WriteResponse.Succeeded());
        assertThat(requests).hasSize(3);
        JsonNode binding = json(requests.get(2));
        assertThat(binding.at("/metadata/uid").asText()).isEqualTo("u-1");
        assertThat(binding.at("/metadata/annotations/berth.dev~1hold").asText()).isEqualTo("h 1");
        assertThat(binding.at("/target/name").asText()).isEqualTo("node-1");
    }

    @Test
    void aPodLookupReadsThePodsUidAndNode() throws Exception {
        script = in -> in.reply(200, "{\"metadata\":{\"uid\":\"u-1\"},\"spec\":{\"nodeName\":\"node-7\"}}");
        assertThat(await(cluster.findPod(POD))).isEqualTo(new PodLookupResult.Bound("node-7"));
        script = in -> in.reply(200, "{\"metadata\":{\"uid\":\"u-1\"},\"spec\":{}}");
        assertThat(await(cluster.findPod(POD))).isEqualTo(new PodLookupResult.Unbound());
        script = in -> in.reply(200, "{\"metadata\":{\"uid\":\"u-2\"},\"spec\":{\"nodeName\":\"node-7\"}}");
        assertThat(await(cluster.findPod(POD))).isEqualTo(new PodLookupResult.NotFound());
        script = in -> in.reply(404, "{}");
        assertThat(await(cluster.findPod(POD))).isEqualTo(new PodLookupResult.NotFound());
        script = in -> in.reply(500, "{}");
        assertThat(await(cluster.findPod(POD))).isInstanceOf(PodLookupResult.ReadFailed.class);
        script = in -> in.reply(200, "not json");
        assertThat(await(cluster.findPod(POD))).isInstanceOf(PodLookupResult.ReadFailed.class);
        script = IncomingRequest::dropConnection;
        assertThat(await(cluster.findPod(POD))).isInstanceOf(PodLookupResult.ReadFailed.class);
    }

    @Test
    void aConditionIsWrittenAgainOnlyWhenItsContentChanges() throws Exception {
        book.onUpsert(observed(Optional.empty()));
        Effect.MarkUnscheduled full = new Effect.MarkUnscheduled(POD, Reason.UNSCHEDULABLE, "0/3 nodes");
        assertThat(await(cluster.markUnscheduled(full))).isEqualTo(new WriteResponse.Succeeded());
        assertThat(await(cluster.markUnscheduled(full))).isEqualTo(new WriteResponse.Succeeded());
        assertThat(requests).hasSize(1);
        IncomingRequest request = requests.get(0);
        assertThat(request.method()).isEqualTo("PATCH");
        assertThat(request.path()).startsWith("/base/api/v1/namespaces/shop/pods/web-0/status");
        assertThat(request.header("content-type")).contains("application/strategic-merge-patch+json");
        JsonNode condition = json(request).at("/status/conditions/0");
        assertThat(condition.toString())
                .isEqualTo("{\"type\":\"PodScheduled\",\"status\":\"False\",\"reason\":\"Unschedulable\","
                        + "\"message\":\"0/3 nodes\",\"lastProbeTime\":null,"
                        + "\"lastTransitionTime\":\"2026-01-01T00:00:00Z\",\"observedGeneration\":3}");
        assertThat(json(request).at("/metadata/uid").asText()).isEqualTo("u-1");

        time.advance(Duration.ofMinutes(1));
        assertThat(await(cluster.markUnscheduled(new Effect.MarkUnscheduled(POD, Reason.SCHEDULER_ERROR, "denied"))))
                .isEqualTo(new WriteResponse.Succeeded());
        JsonNode second = json(requests.get(1)).at("/status/conditions/0");
        assertThat(second.at("/reason").asText()).isEqualTo("SchedulerError");
        // It was unscheduled before: that has not changed.
        assertThat(second.at("/lastTransitionTime").asText()).isEqualTo("2026-01-01T00:00:00Z");
    }

    @Test
    void aConditionThatAnotherProcessWroteIsNotWrittenAgain() throws Exception {
        book.onUpsert(observed(Optional.of(new UnscheduledCondition("Unschedulable", "0/3 nodes", 0))));
        assertThat(await(cluster.markUnscheduled(new Effect.MarkUnscheduled(POD, Reason.UNSCHEDULABLE, "0/3 nodes"))))
                .isEqualTo(new WriteResponse.Succeeded());
        assertThat(requests).isEmpty();
    }

    @Test
    void aConditionWhoseWriteFailedIsWrittenAgain() throws Exception {
        book.onUpsert(observed(Optional.empty()));
        Effect.MarkUnscheduled full = new Effect.MarkUnscheduled(POD, Reason.UNSCHEDULABLE, "0/3 nodes");
        script = in -> in.reply(500, "{}");
        assertThat(await(cluster.markUnscheduled(full))).isInstanceOf(WriteResponse.Unknown.class);
        script = in -> in.reply(200, "{}");
        assertThat(await(cluster.markUnscheduled(full))).isEqualTo(new WriteResponse.Succeeded());
        assertThat(requests).hasSize(2);
    }

    @Test
    void anEventHasTheFieldsThatKubeSchedulerWrites() throws Exception {
        assertThat(await(cluster.recordEvent(
                        new Effect.RecordEvent(POD, EventTemplate.SCHEDULED, "Successfully assigned"))))
                .isEqualTo(new WriteResponse.Succeeded());
        IncomingRequest request = requests.get(0);
        assertThat(request.path()).startsWith("/base/apis/events.k8s.io/v1/namespaces/shop/events");
        JsonNode event = new ProtobufCodec(BuiltInSchemas.load()).decode(request.bytes());
        assertThat(event.at("/metadata/name").asText()).matches("web-0\\.[0-9a-f]+");
        assertThat(event.at("/eventTime").asText()).startsWith("2026-01-01T00:00:00");
        assertThat(event.at("/reportingController").asText()).isEqualTo("berth-scheduler");
        assertThat(event.at("/reportingInstance").asText()).isEqualTo("berth-scheduler-host-1");
        assertThat(event.at("/action").asText()).isEqualTo("Binding");
        assertThat(event.at("/reason").asText()).isEqualTo("Scheduled");
        assertThat(event.at("/type").asText()).isEqualTo("Normal");
        assertThat(event.at("/note").asText()).isEqualTo("Successfully assigned");
        assertThat(event.at("/regarding/uid").asText()).isEqualTo("u-1");
        assertThat(event.at("/regarding/kind").asText()).isEqualTo("Pod");
    }

    @Test
    void theSameEventIsNotWrittenAgainWithinTheWindow() throws Exception {
        Effect.RecordEvent failed = new Effect.RecordEvent(POD, EventTemplate.FAILED_SCHEDULING, "0/3 nodes");
        await(cluster.recordEvent(failed));
        time.advance(Duration.ofMinutes(4));
        assertThat(await(cluster.recordEvent(failed))).isEqualTo(new WriteResponse.Succeeded());
        assertThat(requests).hasSize(1);
        await(cluster.recordEvent(new Effect.RecordEvent(POD, EventTemplate.FAILED_SCHEDULING, "0/4 nodes")));
        assertThat(requests).hasSize(2);
        time.advance(Duration.ofMinutes(1));
        await(cluster.recordEvent(failed));
        assertThat(requests).hasSize(3);
    }

    @Test
    void anEventWhoseResponseWasLostIsWrittenAgainUnderTheSameName() throws Exception {
        Effect.RecordEvent said = new Effect.RecordEvent(POD, EventTemplate.SCHEDULED, "x");
        script = in -> in.reply(503, "{}");
        assertThat(await(cluster.recordEvent(said))).isInstanceOf(WriteResponse.Unknown.class);
        script = in -> in.reply(409, "{\"reason\":\"AlreadyExists\"}");
        assertThat(await(cluster.recordEvent(said))).isEqualTo(new WriteResponse.Succeeded());
        List<String> names = new ArrayList<>();
        for (IncomingRequest request : requests) {
            names.add(new ProtobufCodec(BuiltInSchemas.load())
                    .decode(request.bytes())
                    .at("/metadata/name")
                    .asText());
        }
        assertThat(names.get(1)).isEqualTo(names.get(0));
    }

    @Test
    void aLongNoteIsTruncatedBetweenCharacters() {
        assertThat(RequestBodies.truncateUtf8("short", 1024)).isEqualTo("short");
        String cut = RequestBodies.truncateUtf8("ä".repeat(600), 1023);
        assertThat(cut).isEqualTo("ä".repeat(511));
        assertThat(cut.getBytes(UTF_8)).hasSize(1022);
    }

    private WriteResponse bound(int status, String message) {
        script = in -> in.reply(status, "{\"code\":%d,\"message\":\"%s\"}".formatted(status, message));
        try {
            return await(cluster.bind(BIND));
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    private static ObservedPod observed(Optional<UnscheduledCondition> unscheduledCondition) {
        Pod pod = Pod.builder(POD.uid(), POD.namespace(), POD.name())
                .phase(PodPhase.PENDING)
                .build();
        return new ObservedPod(pod, 3, unscheduledCondition);
    }

    private static JsonNode json(IncomingRequest request) throws Exception {
        return new ObjectMapper().readTree(request.bytes());
    }

    private static <T> T await(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
}
