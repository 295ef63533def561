package dev.berth.kubernetes.effects;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Effect.Announce.Kind;
import dev.berth.core.decision.Effect.MarkUnscheduled.Reason;
import dev.berth.embedded.protobuf.ProtobufCodec;
import dev.berth.embedded.schema.BuiltInSchemas;
import dev.berth.engine.Answer;
import dev.berth.engine.Whereabouts;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.kubernetes.connection.Credentials;
import dev.berth.kubernetes.http2.Limits;
import dev.berth.kubernetes.http2.ScriptedServer;
import dev.berth.kubernetes.http2.ScriptedServer.Incoming;
import dev.berth.kubernetes.projection.ObservedPod;
import dev.berth.kubernetes.projection.ObservedPod.Unscheduled;
import dev.berth.kubernetes.time.ManualTime;
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
class ApiClusterTest {
    private static final Effect.PodRef POD = new Effect.PodRef("shop", "web-0", new PodUid("u-1"), "berth-scheduler");
    private static final Effect.Bind BIND = new Effect.Bind(POD, "node-1", Map.of("berth.dev/hold", "h 1"));

    private final ManualTime time = new ManualTime();
    private final List<Incoming> requests = new CopyOnWriteArrayList<>();
    private volatile ScriptedServer.Script script = in -> in.reply(201, "{}");
    private final ScriptedServer server = ScriptedServer.serving(in -> {
        requests.add(in);
        script.serve(in);
    });
    private final ApiClient client = new ApiClient(
            new ClusterAccess(server.endpoint(), "/base", Credentials.token("secret"), "default"),
            Limits.DEFAULT,
            "berth/test");
    private final ConditionBook book = new ConditionBook();
    private final ApiCluster cluster = cluster(Duration.ofSeconds(20));

    private ApiCluster cluster(Duration timeout) {
        return new ApiCluster(client, book, new EffectSettings(timeout, Duration.ofMinutes(5), "host-1"), time);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void aBindingCarriesTheUidAndTheRecord() throws Exception {
        assertThat(got(cluster.bind(BIND))).isEqualTo(new Answer.Done());
        Incoming request = requests.get(0);
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
    void whatTheServerSaysIsSortedByWhatCanBeDoneAboutIt() {
        assertThat(bound(409, "pod web-0 is already assigned to node \\\"node-1\\\""))
                .isEqualTo(new Answer.Done());
        assertThat(bound(409, "pod web-0 is already assigned to node \\\"node-2\\\""))
                .isInstanceOf(Answer.Conflict.class);
        assertThat(bound(409, "Precondition failed: UID in precondition: u-1, UID in object meta: u-2"))
                .isInstanceOf(Answer.Gone.class);
        assertThat(bound(404, "pods \\\"web-0\\\" not found")).isInstanceOf(Answer.Gone.class);
        assertThat(bound(403, "admission webhook \\\"guard\\\" denied the request: held for others"))
                .isEqualTo(new Answer.Denied(
                        "admission webhook \"guard\" denied the request: held for others", "create pods/binding"));
        assertThat(bound(
                        403,
                        "pods \\\"p\\\" is forbidden: User \\\"berth\\\" cannot create resource \\\"pods/binding\\\""))
                .isEqualTo(new Answer.Denied(
                        "pods \"p\" is forbidden: User \"berth\" cannot create resource \"pods/binding\". The ClusterRole"
                                + " of Berth's user lacks this right: maybe run \"berth install | kubectl apply -f -\"",
                        "create pods/binding"));
        assertThat(bound(422, "Pod \\\"p\\\" is invalid: spec")).isInstanceOf(Answer.Denied.class);
        assertThat(bound(422, "Pod \\\"p\\\" is invalid: metadata.uid: Invalid value: \\\"u\\\": field is immutable"))
                .isInstanceOf(Answer.Gone.class);
        assertThat(bound(500, "etcdserver: request timed out")).isInstanceOf(Answer.Unknown.class);
        assertThat(bound(503, "shutting down")).isInstanceOf(Answer.Unknown.class);
        assertThat(bound(504, "timeout")).isInstanceOf(Answer.Unknown.class);
        assertThat(bound(401, "Unauthorized"))
                .isInstanceOfSatisfying(
                        Answer.Throttled.class,
                        refused -> assertThat(refused.message())
                                .isEqualTo("401: Unauthorized. The API server does not accept Berth's credentials:"
                                        + " they are wrong or expired"));
    }

    @Test
    void aBusyServerSaysWhenToComeBack() throws Exception {
        script = in -> in.reply(429, "{\"code\":429,\"message\":\"slow\",\"details\":{\"retryAfterSeconds\":7}}");
        assertThat(got(cluster.bind(BIND)))
                .isInstanceOfSatisfying(
                        Answer.Throttled.class, busy -> assertThat(busy.after()).isEqualTo(Duration.ofSeconds(7)));
    }

    @Test
    void withoutAnAnswerTheOutcomeIsUnknown() throws Exception {
        script = Incoming::drop;
        assertThat(got(cluster.bind(BIND))).isInstanceOf(Answer.Unknown.class);
        script = in -> {};
        assertThat(got(cluster(Duration.ofMillis(100)).bind(BIND))).isInstanceOf(Answer.Unknown.class);
    }

    @Test
    void withoutAServerNothingWasWritten() throws Exception {
        server.close();
        assertThat(got(cluster.bind(BIND)))
                .isInstanceOfSatisfying(
                        Answer.Throttled.class,
                        unsent -> assertThat(unsent.message()).contains("cannot connect"));
    }

    @Test
    void aServerWithoutProtobufIsSpokenToInJson() throws Exception {
        script = in -> {
            boolean json = in.header("content-type").orElse("").equals("application/json");
            in.reply(json ? 201 : 415, "{}");
        };
        assertThat(got(cluster.bind(BIND))).isEqualTo(new Answer.Done());
        assertThat(got(cluster.bind(BIND))).isEqualTo(new Answer.Done());
        assertThat(requests).hasSize(3);
        JsonNode binding = json(requests.get(2));
        assertThat(binding.at("/metadata/uid").asText()).isEqualTo("u-1");
        assertThat(binding.at("/metadata/annotations/berth.dev~1hold").asText()).isEqualTo("h 1");
        assertThat(binding.at("/target/name").asText()).isEqualTo("node-1");
    }

    @Test
    void aPodIsLookedUpByReadingIt() throws Exception {
        script = in -> in.reply(200, "{\"metadata\":{\"uid\":\"u-1\"},\"spec\":{\"nodeName\":\"node-7\"}}");
        assertThat(got(cluster.find(POD))).isEqualTo(new Whereabouts.OnNode("node-7"));
        script = in -> in.reply(200, "{\"metadata\":{\"uid\":\"u-1\"},\"spec\":{}}");
        assertThat(got(cluster.find(POD))).isEqualTo(new Whereabouts.Unbound());
        script = in -> in.reply(200, "{\"metadata\":{\"uid\":\"u-2\"},\"spec\":{\"nodeName\":\"node-7\"}}");
        assertThat(got(cluster.find(POD))).isEqualTo(new Whereabouts.Gone());
        script = in -> in.reply(404, "{}");
        assertThat(got(cluster.find(POD))).isEqualTo(new Whereabouts.Gone());
        script = in -> in.reply(500, "{}");
        assertThat(got(cluster.find(POD))).isInstanceOf(Whereabouts.NotKnown.class);
        script = in -> in.reply(200, "not json");
        assertThat(got(cluster.find(POD))).isInstanceOf(Whereabouts.NotKnown.class);
        script = Incoming::drop;
        assertThat(got(cluster.find(POD))).isInstanceOf(Whereabouts.NotKnown.class);
    }

    @Test
    void aConditionIsWrittenOnceAndAgainWhenItSaysSomethingElse() throws Exception {
        book.seen(observed(Optional.empty()));
        Effect.MarkUnscheduled full = new Effect.MarkUnscheduled(POD, Reason.UNSCHEDULABLE, "0/3 nodes");
        assertThat(got(cluster.mark(full))).isEqualTo(new Answer.Done());
        assertThat(got(cluster.mark(full))).isEqualTo(new Answer.Done());
        assertThat(requests).hasSize(1);
        Incoming request = requests.get(0);
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
        assertThat(got(cluster.mark(new Effect.MarkUnscheduled(POD, Reason.SCHEDULER_ERROR, "denied"))))
                .isEqualTo(new Answer.Done());
        JsonNode second = json(requests.get(1)).at("/status/conditions/0");
        assertThat(second.at("/reason").asText()).isEqualTo("SchedulerError");
        // It was unscheduled before: that has not changed.
        assertThat(second.at("/lastTransitionTime").asText()).isEqualTo("2026-01-01T00:00:00Z");
    }

    @Test
    void whatAnotherProcessWroteIsNotWrittenAgain() throws Exception {
        book.seen(observed(Optional.of(new Unscheduled("Unschedulable", "0/3 nodes", 0))));
        assertThat(got(cluster.mark(new Effect.MarkUnscheduled(POD, Reason.UNSCHEDULABLE, "0/3 nodes"))))
                .isEqualTo(new Answer.Done());
        assertThat(requests).isEmpty();
    }

    @Test
    void aConditionThatCouldNotBeWrittenIsNotTakenForWritten() throws Exception {
        book.seen(observed(Optional.empty()));
        Effect.MarkUnscheduled full = new Effect.MarkUnscheduled(POD, Reason.UNSCHEDULABLE, "0/3 nodes");
        script = in -> in.reply(500, "{}");
        assertThat(got(cluster.mark(full))).isInstanceOf(Answer.Unknown.class);
        script = in -> in.reply(200, "{}");
        assertThat(got(cluster.mark(full))).isEqualTo(new Answer.Done());
        assertThat(requests).hasSize(2);
    }

    @Test
    void anEventSaysWhatKubeSchedulerWouldSay() throws Exception {
        assertThat(got(cluster.announce(new Effect.Announce(POD, Kind.SCHEDULED, "Successfully assigned"))))
                .isEqualTo(new Answer.Done());
        Incoming request = requests.get(0);
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
    void theSameEventIsNotWrittenAgainForAWhile() throws Exception {
        Effect.Announce failed = new Effect.Announce(POD, Kind.FAILED_SCHEDULING, "0/3 nodes");
        got(cluster.announce(failed));
        time.advance(Duration.ofMinutes(4));
        assertThat(got(cluster.announce(failed))).isEqualTo(new Answer.Done());
        assertThat(requests).hasSize(1);
        got(cluster.announce(new Effect.Announce(POD, Kind.FAILED_SCHEDULING, "0/4 nodes")));
        assertThat(requests).hasSize(2);
        time.advance(Duration.ofMinutes(1));
        got(cluster.announce(failed));
        assertThat(requests).hasSize(3);
    }

    @Test
    void anEventWhoseAnswerWasLostIsWrittenUnderTheSameName() throws Exception {
        Effect.Announce said = new Effect.Announce(POD, Kind.SCHEDULED, "x");
        script = in -> in.reply(503, "{}");
        assertThat(got(cluster.announce(said))).isInstanceOf(Answer.Unknown.class);
        script = in -> in.reply(409, "{\"reason\":\"AlreadyExists\"}");
        assertThat(got(cluster.announce(said))).isEqualTo(new Answer.Done());
        List<String> names = new ArrayList<>();
        for (Incoming request : requests) {
            names.add(new ProtobufCodec(BuiltInSchemas.load())
                    .decode(request.bytes())
                    .at("/metadata/name")
                    .asText());
        }
        assertThat(names.get(1)).isEqualTo(names.get(0));
    }

    @Test
    void aLongNoteIsCutBetweenCharacters() {
        assertThat(Bodies.cut("short", 1024)).isEqualTo("short");
        String cut = Bodies.cut("ä".repeat(600), 1023);
        assertThat(cut).isEqualTo("ä".repeat(511));
        assertThat(cut.getBytes(UTF_8)).hasSize(1022);
    }

    private Answer bound(int status, String message) {
        script = in -> in.reply(status, "{\"code\":%d,\"message\":\"%s\"}".formatted(status, message));
        try {
            return got(cluster.bind(BIND));
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    private static ObservedPod observed(Optional<Unscheduled> unscheduled) {
        Pod pod = Pod.builder(POD.uid(), POD.namespace(), POD.name())
                .phase(Phase.PENDING)
                .build();
        return new ObservedPod(pod, 3, unscheduled);
    }

    private static JsonNode json(Incoming request) throws Exception {
        return new ObjectMapper().readTree(request.bytes());
    }

    private static <T> T got(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(30, TimeUnit.SECONDS);
    }
}
