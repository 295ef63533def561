package dev.berth.http.globalreserve;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.testing.RandomHistories;
import dev.berth.http.HttpListener;
import dev.berth.http.ListenerSettings;
import dev.berth.http.Router;
import dev.berth.http.budget.ByteBudget;
import dev.berth.http.extender.Extender;
import dev.berth.http.extender.ExtenderEndpoints;
import dev.berth.kubernetes.door.globalreserve.JsonPodReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** For every body the response is clear and free of the library's messages, and the memory is released. */
@Timeout(120)
class RequestBodyFuzzTest {
    private static final int BODIES = 300;
    private static final long BUDGET = 64 << 20;
    private static final Pattern INTERNALS = Pattern.compile(
            "(?i)jackson|\\[?source: |streamread|VALUE_|START_|END_|Exception|java\\.|\\.java|JsonToken|NullPointer|null pointer");
    private static final String POD = """
            {"metadata":{"name":"p","namespace":"ns1","uid":"u-1","labels":{"a":"b"},"creationTimestamp":null},
             "spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"1","memory":"1000"}},
               "ports":[{"hostPort":80,"containerPort":80}]}],"overhead":{"cpu":"1m"},"priority":5,
               "tolerations":[{"key":"k","operator":"Exists"}],"nodeSelector":{"x":"y"}},
             "status":{"phase":"Pending"}}""";
    private static final Map<String, String> GOOD = Map.of(
            "/reserve", "{\"Pods\":[%s],\"Nodes\":[\"node0\"],\"SchedulerName\":\"batch\"}".formatted(POD),
            "/unreserve", "{\"Pods\":[%s],\"Nodes\":[\"node0\"],\"SchedulerName\":\"batch\"}".formatted(POD),
            "/api/v1/scheduler/filter",
                    "{\"Pod\":%s,\"Nodes\":{\"metadata\":{},\"items\":[{\"metadata\":{\"name\":\"n1\"}}]},\"NodeNames\":null}"
                            .formatted(POD),
            "/api/v1/scheduler/bind",
                    "{\"PodName\":\"p\",\"PodNamespace\":\"ns1\",\"PodUID\":\"u-1\",\"Node\":\"n1\"}");

    private static final Extender ACCEPTING = new Extender() {
        @Override
        public Map<String, List<Veto>> filter(Pod pod, List<String> nodes) {
            return nodes.stream().distinct().collect(Collectors.toMap(node -> node, node -> List.of()));
        }

        @Override
        public Optional<String> bind(PodUid pod, String node) {
            return Optional.empty();
        }
    };

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ByteBudget budget = new ByteBudget(BUDGET);
    private FakeReserveCluster cluster;
    private HttpListener listener;

    @BeforeEach
    void start() throws Exception {
        cluster = new FakeReserveCluster(
                        aNode("node0").with("2 cpu", "5000 memory", "10 pods").build())
                .listed();
        Router router = new ReserveEndpoints(cluster.pool(), new JsonPodReader()::read).addTo(new Router());
        new ExtenderEndpoints(ACCEPTING, new JsonPodReader()::read).addTo(router);
        listener =
                HttpListener.start("test-hostile", ListenerSettings.of(ListenerSettings.LOOPBACK, 0), router, budget);
    }

    @AfterEach
    void end() {
        listener.close();
        cluster.close();
    }

    private HttpRequest post(String path, byte[] body) {
        return HttpRequest.newBuilder(URI.create(listener.url() + path))
                .timeout(Duration.ofSeconds(60))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
    }

    /** The response is sent to the caller shortly before the memory is released. */
    private void checkNoMemoryIsReserved() {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (budget.used() > 0 && System.nanoTime() < until) {
            Thread.onSpinWait();
        }
        assertThat(budget.used()).isZero();
    }

    @RandomHistories(count = 6)
    void everyBodyGetsAResponseAndReleasesItsMemory(long seed) throws Exception {
        Random random = new Random(seed);
        List<String> paths = GOOD.keySet().stream().sorted().toList();
        for (int i = 0; i < BODIES; i++) {
            String path = paths.get(random.nextInt(paths.size()));
            byte[] body = mutatedBody(GOOD.getOrDefault(path, ""), random);

            HttpResponse<String> answer = client.send(post(path, body), HttpResponse.BodyHandlers.ofString());

            String what = "seed %d, body %d to %s: %.300s -> %d %.300s"
                    .formatted(
                            seed,
                            i,
                            path,
                            new String(body, StandardCharsets.UTF_8),
                            answer.statusCode(),
                            answer.body());
            assertThat(answer.statusCode()).as(what).isIn(200, 400);
            assertThat(INTERNALS.matcher(answer.body()).find()).as(what).isFalse();
            if (path.equals("/reserve")) {
                assertThat(answer.statusCode()).as(what).isEqualTo(200);
                assertThat(answer.body())
                        .as(what)
                        .startsWith("{\"FailedPods\":")
                        .endsWith("}\n");
            }
        }
        checkNoMemoryIsReserved();
    }

    private static byte[] mutatedBody(String good, Random random) {
        String text = good;
        for (int i = random.nextInt(3); i >= 0; i--) {
            text = mutated(text, random);
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (random.nextInt(4) == 0 && bytes.length > 0) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return random.nextInt(8) == 0 ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)) : bytes;
    }

    private static String mutated(String text, Random random) {
        String value = VALUES.get(random.nextInt(VALUES.size()));
        int at = random.nextInt(text.length() + 1);
        return switch (random.nextInt(5)) {
            case 0 -> text.substring(0, at);
            case 1 -> text.substring(0, at) + value + text.substring(at);
            // Another value instead of some text, number, object or array.
            case 2, 3 ->
                replaced(
                        text,
                        "(?<=:)\"[^\"]*\"|(?<=:)\\d+|(?<=:)null|(?<=:)\\{[^{}]*\\}|(?<=:)\\[[^\\[\\]]*\\]",
                        value,
                        random);
            // A key twice.
            default ->
                text.replaceFirst(
                        "\\{",
                        "{\"pods\":%s,\"Pod\":%s,"
                                .formatted(value, value)
                                .replace("\\", "\\\\")
                                .replace("$", "\\$"));
        };
    }

    private static String replaced(String text, String pattern, String value, Random random) {
        var found = Pattern.compile(pattern).matcher(text).results().toList();
        if (found.isEmpty()) {
            return text;
        }
        var one = found.get(random.nextInt(found.size()));
        return text.substring(0, one.start()) + value + text.substring(one.end());
    }

    private static final List<String> VALUES = List.of(
            "[".repeat(2_000),
            "{\"a\":".repeat(2_000),
            "[".repeat(90) + "]".repeat(90),
            "9".repeat(5_000),
            "-1",
            "1e999999999",
            "1E-5",
            "0x10",
            "NaN",
            "true",
            "null",
            "{}",
            "[]",
            "[null]",
            "[[]]",
            "\"\"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "\"\\q\"",
            "\"" + "x".repeat(100_000) + "\"",
            "\"99999999999999999999999Ei\"",
            "\"-5\"",
            "\"1/2\"",
            "9223372036854775808",
            "99999",
            "\"2026-99-99T00:00:00Z\"",
            "\u0001",
            "'a'",
            ",",
            "}",
            "]",
            "//",
            "\uFEFF");

    /** Sends the head and the body, and reads what is answered. */
    private FutureTask<String> raw(byte[] body) {
        FutureTask<String> call = new FutureTask<>(() -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
                socket.setSoTimeout(60_000);
                OutputStream out = socket.getOutputStream();
                out.write("POST /reserve HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: %d\r\n\r\n"
                        .formatted(body.length)
                        .getBytes(StandardCharsets.US_ASCII));
                out.write(body);
                out.flush();
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            }
        });
        new Thread(call, "caller").start();
        return call;
    }

    @Test
    void manyLargeBodiesAtOnceAreServedOrRefusedWithRetryAfterWithinTheBudget() throws Exception {
        byte[] large = ("{\"Padding\":[\"" + "x".repeat(15_500_000) + "\"],\"SchedulerName\":\"batch\"}")
                .getBytes(StandardCharsets.UTF_8);
        List<FutureTask<String>> answers = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            answers.add(raw(large));
        }
        int served = 0;
        for (FutureTask<String> future : answers) {
            cluster.runTurn();
            assertThat(budget.used()).isLessThanOrEqualTo(BUDGET);
            String answer = future.get(60, TimeUnit.SECONDS);
            if (answer.startsWith("HTTP/1.1 200 ")) {
                served++;
                assertThat(answer).endsWith("{\"FailedPods\":[],\"Error\":\"\"}\n");
            } else {
                assertThat(answer)
                        .startsWith("HTTP/1.1 503 ")
                        .containsIgnoringCase("retry-after: 1\r\n")
                        .contains("{\"FailedPods\":null,\"Error\":\"Berth is busy: ");
            }
        }
        assertThat(served).as("those for which there is room").isPositive();
        assertThat(budget.rejections()).isPositive();
        checkNoMemoryIsReserved();
        assertThat(raw(large).get(60, TimeUnit.SECONDS))
                .as("afterwards there is room again")
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    void aBodyLargerThanTheWholeBudgetGetsNoRetryAfter() throws Exception {
        String pods = "%s,".formatted(POD).repeat(30_000);
        byte[] large = "{\"Pods\":[%s%s],\"SchedulerName\":\"batch\"}"
                .formatted(pods, POD)
                .getBytes(StandardCharsets.UTF_8);

        String answer = raw(large).get(60, TimeUnit.SECONDS);

        assertThat(answer)
                .startsWith("HTTP/1.1 200 ")
                .doesNotContainIgnoringCase("retry-after")
                .endsWith(
                        ("{\"FailedPods\":null,\"Error\":\"The request needs more than the %d bytes of memory that all"
                                        + " requests together may take (http.requestMemoryLimit). Maybe split the request\"}\n")
                                .formatted(BUDGET));
        checkNoMemoryIsReserved();
    }
}
