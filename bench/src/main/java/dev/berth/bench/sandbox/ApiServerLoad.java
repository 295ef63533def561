package dev.berth.bench.sandbox;

import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.http2.RequestFailedException;
import dev.berth.kubernetes.http2.Response;
import dev.berth.kubernetes.http2.ResponseHead;
import dev.berth.kubernetes.http2.ResponseListener;
import dev.berth.sandbox.apiserver.InMemoryApiServer;
import dev.berth.sandbox.authentication.UserInfo;
import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.QueryParameters;
import dev.berth.sandbox.endpoints.RestRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/** Requests with a limited number in flight, and a watcher that counts its events. */
final class ApiServerLoad {
    private static final int IN_FLIGHT = 64;
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String JSON = "application/json";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final ApiClient client;
    private final InMemoryApiServer server;
    private final Semaphore free = new Semaphore(IN_FLIGHT);
    private final AtomicLong bytesSeen = new AtomicLong();
    private volatile String failure = "";

    ApiServerLoad(ApiClient client, InMemoryApiServer server) {
        this.client = client;
        this.server = server;
    }

    void watch() {
        client.stream(
                "/api/v1/pods?watch=true&resourceVersion=0",
                "application/vnd.kubernetes.protobuf;stream=watch",
                TIMEOUT,
                new ResponseListener() {
                    @Override
                    public void onHead(ResponseHead head) {}

                    @Override
                    public void onData(ByteBuffer bytes) {
                        bytesSeen.addAndGet(bytes.remaining());
                    }

                    @Override
                    public void onEnd() {}

                    @Override
                    public void onFailure(RequestFailedException why) {
                        fail(String.valueOf(why.getMessage()));
                    }
                });
    }

    void create(int pod) {
        send(PODS, body(pod));
    }

    void bind(int pod) {
        send(PODS + "/pod-" + pod + "/binding", """
                {"apiVersion":"v1","kind":"Binding","metadata":{"name":"pod-%d"},"target":{"kind":"Node","name":"node-%d"}}
                """.formatted(pod, pod % 1000));
    }

    void createDirectly(int pod) {
        byte[] body = body(-1 - pod).getBytes(StandardCharsets.UTF_8);
        Map<String, String> headers = Map.of("accept", JSON, "content-type", JSON);
        UserInfo userInfo = new UserInfo("bench", List.of("system:masters"));
        BodyResponse bodyResponse = (BodyResponse)
                server.handle(new RestRequest("POST", PODS, QueryParameters.EMPTY, headers, body, userInfo));
        if (bodyResponse.code() != 201) {
            throw new IllegalStateException(new String(bodyResponse.body(), StandardCharsets.UTF_8));
        }
    }

    /** Waits for all responses, and throws if one of them failed. */
    void awaitResponses() throws InterruptedException {
        free.acquire(IN_FLIGHT);
        free.release(IN_FLIGHT);
        if (!failure.isEmpty()) {
            throw new IllegalStateException(failure);
        }
    }

    String watchedBytes() {
        return "%,d KB".formatted(bytesSeen.get() / 1024);
    }

    private static String body(int pod) {
        return """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":{"app":"bench"}},
                 "spec":{"containers":[{"name":"c","image":"nginx","resources":{"requests":{"cpu":"100m","memory":"500Mi"}}}]}}
                """.formatted(pod < 0 ? "direct-" + -pod : "pod-" + pod);
    }

    private void fail(String why) {
        failure = why;
    }

    private void send(String path, String body) {
        free.acquireUninterruptibly();
        client.send("POST", path, JSON, body.getBytes(StandardCharsets.UTF_8), TIMEOUT)
                .whenComplete(this::onResponse)
                .exceptionally(broken -> null);
    }

    private void onResponse(Response response, Throwable broken) {
        if (broken != null) {
            fail(broken.toString());
        } else if (response.status() != 201) {
            fail(new String(response.body(), StandardCharsets.UTF_8));
        }
        free.release();
    }
}
