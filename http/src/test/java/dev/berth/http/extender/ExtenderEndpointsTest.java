package dev.berth.http.extender;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.placement.filter.BlockingHold;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.resource.ResourceName;
import dev.berth.http.HttpListener;
import dev.berth.http.ListenerSettings;
import dev.berth.http.Router;
import dev.berth.http.budget.ByteBudget;
import dev.berth.kubernetes.door.globalreserve.JsonPodReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The extender's words on the wire, over real HTTP. */
class ExtenderEndpointsTest {
    private static final String POD = "{\"metadata\":{\"name\":\"p\",\"namespace\":\"default\",\"uid\":\"u\"}}";

    /** An extender with a full node, a held node and an otherwise infeasible node, which records the bound pods. */
    private static final class FakeExtender implements Extender {
        final List<String> bound = new ArrayList<>();
        Optional<String> silence = Optional.empty();

        @Override
        public Map<String, List<Veto>> filter(Pod pod, List<String> nodes) throws ExtenderUnavailable {
            if (silence.isPresent()) {
                throw new ExtenderUnavailable(silence.get());
            }
            Map<String, List<Veto>> vetoes = new TreeMap<>();
            nodes.forEach(node -> vetoes.put(node, vetoes(node)));
            return vetoes;
        }

        private static List<Veto> vetoes(String node) {
            Optional<ResourceName> cpu = Optional.of(ResourceName.CPU);
            BlockingHold blockingHold = new BlockingHold(
                    new HoldId("h"),
                    new Origin(Origin.DoorId.KOORDINATOR, "Reservation r"),
                    1_000,
                    Optional.of(Instant.parse("2026-01-01T00:00:00Z")));
            return switch (node) {
                case "full" -> List.of(new Veto(Veto.Code.RESOURCE, cpu, 2, 1, 4, List.of()));
                case "held" -> List.of(new Veto(Veto.Code.RESOURCE_HELD, cpu, 2, 1, 4, List.of(blockingHold)));
                case "bare" -> List.of(Veto.of(Veto.Code.DEVICES, "there are no such [er4] extended resource"));
                default -> List.of();
            };
        }

        @Override
        public Optional<String> bind(PodUid pod, String node) throws ExtenderUnavailable {
            if (silence.isPresent()) {
                throw new ExtenderUnavailable(silence.get());
            }
            if (node.equals("held")) {
                return Optional.of("it is held");
            }
            bound.add("%s on %s".formatted(pod, node));
            return Optional.empty();
        }
    }

    private final FakeExtender fakeExtender = new FakeExtender();
    private final HttpClient http = HttpClient.newHttpClient();
    private HttpListener listener;

    @BeforeEach
    void listen() throws IOException {
        Router router = new ExtenderEndpoints(fakeExtender, new JsonPodReader()::read).addTo(new Router());
        listener = HttpListener.start(
                "extender-test",
                ListenerSettings.of(ListenerSettings.LOOPBACK, 0).withMaxBodyBytes(10_000),
                router,
                new ByteBudget(10_000_000));
    }

    @AfterEach
    void close() {
        listener.close();
    }

    private HttpResponse<String> post(String verb, String body) throws IOException, InterruptedException {
        URI uri = URI.create(listener.url() + "/api/v1/scheduler/" + verb);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void nodesByNameAreAnsweredByName() throws Exception {
        HttpResponse<String> answer = post(
                "filter",
                "{\"Pod\":%s,\"Nodes\":null,\"NodeNames\":[\"n1\",\"full\",\"held\",\"bare\"]}".formatted(POD));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json; charset=utf-8");
        assertThat(answer.body())
                .isEqualTo(
                        "{\"NodeNames\":[\"n1\"],\"FailedNodes\":{"
                                + "\"bare\":\"there are no such [er4] extended resource\",\"full\":\"Insufficient cpu\","
                                + "\"held\":\"Insufficient cpu (1 held by Reservation r until 2026-01-01T00:00:00Z)\"},"
                                + "\"FailedAndUnresolvableNodes\":{"
                                + "\"bare\":\"there are no such [er4] extended resource\","
                                + "\"held\":\"Insufficient cpu (1 held by Reservation r until 2026-01-01T00:00:00Z)\"},\"Error\":\"\"}");
    }

    @Test
    void nodeObjectsAreReturnedUnchangedInTheKeyCaseOfTheRequest() throws Exception {
        String node = "{\"kind\":\"Node\",\"metadata\":{\"labels\":{\"a\":\"ä\"},\"name\":\"n1\"},\"x\":1.50}";
        HttpResponse<String> answer = post(
                "filter",
                "{\"pod\":%s,\"nodes\":{\"metadata\":{},\"items\":[%s,{\"metadata\":{\"name\":\"full\"}}]}}"
                        .formatted(POD, node));

        assertThat(answer.body())
                .isEqualTo("{\"nodes\":{\"metadata\":{},\"items\":[" + node + "]},"
                        + "\"failedNodes\":{\"full\":\"Insufficient cpu\"},\"failedAndUnresolvableNodes\":{},"
                        + "\"error\":\"\"}");
    }

    @Test
    void anUnavailableExtenderReturnsNoNodesAndAnError() throws Exception {
        fakeExtender.silence = Optional.of("Berth is busy");

        assertThat(post("filter", "{\"Pod\":%s,\"NodeNames\":[\"n1\"]}".formatted(POD))
                        .body())
                .contains("\"NodeNames\":[]", "\"Error\":\"Berth is busy\"");
        assertThat(post("bind", "{\"PodUID\":\"u\",\"Node\":\"n1\"}").body())
                .isEqualTo("{\"Error\":\"Berth is busy\"}");
    }

    @Test
    void aBindIsAnsweredWithAnEmptyErrorOrTheReason() throws Exception {
        assertThat(post("bind", "{\"PodName\":\"p\",\"PodNamespace\":\"default\",\"PodUID\":\"u\",\"Node\":\"n1\"}")
                        .body())
                .isEqualTo("{\"Error\":\"\"}");
        assertThat(fakeExtender.bound).containsExactly("u on n1");

        HttpResponse<String> refused = post("bind", "{\"poduid\":\"u\",\"node\":\"held\"}");
        assertThat(refused.statusCode()).isEqualTo(200);
        assertThat(refused.body()).isEqualTo("{\"Error\":\"it is held\"}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            filter |                                        | the body is empty
            filter | [1]                                    | the body ([) must be an object
            filter | {"Pod": {}                             | the body is not valid JSON at line 1
            filter | {"NodeNames": ["n1"]}                  | Pod is missing
            filter | {"Pod": 3}                             | Pod (3) must be a pod
            filter | {"Pod": {}, "NodeNames": "n1"}         | NodeNames (n1) must be an array
            filter | {"Pod": {}, "Nodes": {"items": [{}]}}  | Nodes.items[0] has no metadata.name
            bind   | nonsense                               | the body is not valid JSON at line 1
            bind   | {"PodUID": 7, "Node": "n1"}            | PodUID (7) must be a string
            bind   | {"PodName": "p", "Node": "n1"}         | PodUID () and Node (n1) must both be given
            """)
    void malformedRequestsAreRejectedWithAReason(String verb, String body, String words) throws Exception {
        HttpResponse<String> answer = post(verb, Optional.ofNullable(body).orElse(""));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body())
                .startsWith(verb.equals("bind") ? "{\"Error\":" : "{\"error\":")
                .contains(words);
        assertThat(fakeExtender.bound).isEmpty();
    }

    @Test
    void aRequestWithoutNodesReturnsAnError() throws Exception {
        assertThat(post("filter", "{\"Pod\":%s,\"Nodes\":null,\"NodeNames\":null}".formatted(POD))
                        .body())
                .contains("the request has neither Nodes nor NodeNames");
    }

    @Test
    void aBodyBeyondTheLimitIsRefusedWithAdvice() throws Exception {
        HttpResponse<String> answer = post("filter", " ".repeat(20_000));

        assertThat(answer.statusCode()).isEqualTo(413);
        assertThat(answer.body()).contains("nodeCacheCapable: true");
    }

    @Test
    void otherPathsAreNotFound() throws Exception {
        assertThat(post("prioritize", "{}").statusCode()).isEqualTo(404);
        assertThat(post("prioritize", "{}").body()).isEqualTo("404 page not found\n");
    }
}
