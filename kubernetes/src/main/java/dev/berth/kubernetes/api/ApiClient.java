package dev.berth.kubernetes.api;

import dev.berth.kubeclient.kubeconfig.ClientConfig;
import dev.berth.kubernetes.format.WireFormat;
import dev.berth.kubernetes.http2.Cancellable;
import dev.berth.kubernetes.http2.ConnectionSettings;
import dev.berth.kubernetes.http2.Http2Client;
import dev.berth.kubernetes.http2.Request;
import dev.berth.kubernetes.http2.Request.Header;
import dev.berth.kubernetes.http2.RequestFailedException;
import dev.berth.kubernetes.http2.Response;
import dev.berth.kubernetes.http2.ResponseHead;
import dev.berth.kubernetes.http2.ResponseListener;
import io.netty.util.AsciiString;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;

/**
 * A client of one API server with two connections: one for lists and watches, and one for single requests, which must
 * not wait for the parsing of lists. Safe from any thread.
 */
public final class ApiClient implements AutoCloseable {
    private static final AsciiString ACCEPT = AsciiString.cached("accept");
    private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
    private static final AsciiString AUTHORIZATION = AsciiString.cached("authorization");
    private static final AsciiString USER_AGENT = AsciiString.cached("user-agent");
    private static final int UNAUTHORIZED = 401;
    private static final String GET = "GET";
    private static final String PROTOBUF_OR_JSON = WireFormat.PROTOBUF.mediaType() + "," + WireFormat.JSON.mediaType();

    private final ClientConfig clientConfig;
    private final Header userAgent;
    private volatile AuthorizationHeader authorizationHeader =
            new AuthorizationHeader("", new Header(AUTHORIZATION, ""));
    private final Http2Client streamClient;
    private final Http2Client callClient;
    private final RequestCounter requestCounter = new RequestCounter();
    private final DateHeaderSampler dateHeaders = new DateHeaderSampler();

    /**
     * Creates a client that connects when it is used.
     *
     * @param userAgent the user agent in the server's log, such as {@code berth/1.0}
     */
    public ApiClient(ClientConfig clientConfig, ConnectionSettings connectionSettings, String userAgent) {
        this.clientConfig = clientConfig;
        this.userAgent = new Header(USER_AGENT, AsciiString.cached(userAgent));
        this.streamClient = new Http2Client("berth-watch", clientConfig.endpoint(), connectionSettings);
        this.callClient = new Http2Client("berth-calls", clientConfig.endpoint(), connectionSettings);
    }

    /** The default namespace. */
    public String namespace() {
        return clientConfig.namespace();
    }

    public CompletableFuture<Response> get(String path, String accept, Duration timeout) {
        return track(
                GET,
                dateHeaders.sentNanos(),
                callClient.send(Request.get(clientConfig.basePath() + path, headers(accept), timeout)));
    }

    /** Sends a body. The response is requested in the format of the body if that is protobuf, else in JSON. */
    public CompletableFuture<Response> send(
            String method, String path, String contentType, byte[] body, Duration timeout) {
        boolean protobuf = contentType.equals(WireFormat.PROTOBUF.mediaType());
        List<Header> headers = headers(protobuf ? PROTOBUF_OR_JSON : WireFormat.JSON.mediaType());
        headers.add(new Header(CONTENT_TYPE, AsciiString.of(contentType)));
        return track(
                method,
                dateHeaders.sentNanos(),
                callClient.send(new Request(method, clientConfig.basePath() + path, headers, body, timeout)));
    }

    /** Sends a GET whose response is read as it arrives. */
    public Cancellable stream(String path, String accept, Duration headTimeout, ResponseListener listener) {
        Request request = Request.get(clientConfig.basePath() + path, headers(accept), headTimeout);
        return streamClient.stream(request, new TrackingListener(listener));
    }

    /** The server as {@code host:port}. */
    public String server() {
        return "%s:%d"
                .formatted(
                        clientConfig.endpoint().host(), clientConfig.endpoint().port());
    }

    /** Counts all requests and their responses, including watches. */
    public RequestCounter requestCounter() {
        return requestCounter;
    }

    /** Replaces the listener of the server's time. */
    public void setServerDateListener(ServerDateListener times) {
        dateHeaders.setListener(times);
    }

    /** The thread on which listeners of streams are called. */
    public ScheduledExecutorService streamExecutor() {
        return streamClient.executor();
    }

    /** The thread on which responses to single requests arrive. */
    public ScheduledExecutorService callExecutor() {
        return callClient.executor();
    }

    @Override
    public void close() {
        streamClient.close();
        callClient.close();
        clientConfig.credentials().close();
    }

    private List<Header> headers(String accept) {
        List<Header> headers = new ArrayList<>(4);
        headers.add(new Header(ACCEPT, AsciiString.of(accept)));
        headers.add(userAgent);
        Optional<String> value = clientConfig.credentials().authorization();
        if (value.isPresent()) {
            headers.add(authorization(value.get()));
        }
        return headers;
    }

    /** A token is long and usually the same as before. */
    private Header authorization(String value) {
        AuthorizationHeader last = authorizationHeader;
        if (!last.value.equals(value)) {
            last = new AuthorizationHeader(value, new Header(AUTHORIZATION, AsciiString.cached(value)));
            authorizationHeader = last;
        }
        return last.header;
    }

    private record AuthorizationHeader(String value, Header header) {}

    private CompletableFuture<Response> track(String method, long sent, CompletableFuture<Response> pending) {
        return pending.whenComplete((response, failure) -> {
                    if (failure == null) {
                        recordStatus(method, response.head());
                        dateHeaders.onResponse(sent, response.head());
                    } else {
                        requestCounter.increment(method, RequestCounter.NO_RESPONSE);
                    }
                })
                .thenApply(response -> response.status() == UNAUTHORIZED
                        ? response.withAdvice(clientConfig.credentials().advice())
                        : response);
    }

    private void recordStatus(String method, ResponseHead head) {
        requestCounter.increment(method, head.status());
        if (head.status() == UNAUTHORIZED) {
            clientConfig.credentials().onUnauthorized();
        }
    }

    /** Notifies the credentials if the server answers 401. */
    private final class TrackingListener implements ResponseListener {
        private final ResponseListener delegate;
        private final long sentNanos = dateHeaders.sentNanos();
        private boolean headSeen;

        private TrackingListener(ResponseListener to) {
            this.delegate = to;
        }

        @Override
        public void onHead(ResponseHead head) {
            headSeen = true;
            recordStatus(GET, head);
            dateHeaders.onResponse(sentNanos, head);
            delegate.onHead(
                    head.status() == UNAUTHORIZED
                            ? head.withAdvice(clientConfig.credentials().advice())
                            : head);
        }

        @Override
        public void onData(ByteBuffer bytes) {
            delegate.onData(bytes);
        }

        @Override
        public void onEnd() {
            delegate.onEnd();
        }

        @Override
        public void onFailure(RequestFailedException failure) {
            if (!headSeen) {
                requestCounter.increment(GET, RequestCounter.NO_RESPONSE);
            }
            delegate.onFailure(failure);
        }
    }
}
