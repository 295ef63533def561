package dev.berth.kubernetes.api;

import dev.berth.kubernetes.connection.ClusterAccess;
import dev.berth.kubernetes.format.Format;
import dev.berth.kubernetes.http2.Call;
import dev.berth.kubernetes.http2.Head;
import dev.berth.kubernetes.http2.Http2Client;
import dev.berth.kubernetes.http2.Limits;
import dev.berth.kubernetes.http2.Request;
import dev.berth.kubernetes.http2.Request.Header;
import dev.berth.kubernetes.http2.RequestFailed;
import dev.berth.kubernetes.http2.Response;
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
 * Talks to one API server over two connections: one for lists and watches, whose parsing must not hold up the other,
 * which is for everything that is asked once and answered once. Safe from any thread.
 */
public final class ApiClient implements AutoCloseable {
    private static final AsciiString ACCEPT = AsciiString.cached("accept");
    private static final AsciiString CONTENT_TYPE = AsciiString.cached("content-type");
    private static final AsciiString AUTHORIZATION = AsciiString.cached("authorization");
    private static final AsciiString USER_AGENT = AsciiString.cached("user-agent");
    private static final int UNAUTHORIZED = 401;
    private static final String GET = "GET";
    private static final String PROTOBUF_OR_JSON = Format.PROTOBUF.mediaType() + "," + Format.JSON.mediaType();

    private final ClusterAccess access;
    private final Header userAgent;
    private volatile Authorization authorization = new Authorization("", new Header(AUTHORIZATION, ""));
    private final Http2Client streams;
    private final Http2Client calls;
    private final Traffic traffic = new Traffic();
    private final DateHeaders dates = new DateHeaders();

    /**
     * Makes a client that connects when it is used.
     *
     * @param userAgent by which the server's log knows us, such as {@code berth/1.0}
     */
    public ApiClient(ClusterAccess access, Limits limits, String userAgent) {
        this.access = access;
        this.userAgent = new Header(USER_AGENT, AsciiString.cached(userAgent));
        this.streams = new Http2Client("berth-watch", access.endpoint(), limits);
        this.calls = new Http2Client("berth-calls", access.endpoint(), limits);
    }

    /** The namespace that is meant where none is said. */
    public String namespace() {
        return access.namespace();
    }

    public CompletableFuture<Response> get(String path, String accept, Duration timeout) {
        return known(GET, dates.sent(), calls.send(Request.get(access.basePath() + path, headers(accept), timeout)));
    }

    /** Sends a body and asks for an answer in its own language, where that is protobuf, or else in JSON. */
    public CompletableFuture<Response> send(
            String method, String path, String contentType, byte[] body, Duration timeout) {
        boolean protobuf = contentType.equals(Format.PROTOBUF.mediaType());
        List<Header> headers = headers(protobuf ? PROTOBUF_OR_JSON : Format.JSON.mediaType());
        headers.add(new Header(CONTENT_TYPE, AsciiString.of(contentType)));
        return known(
                method,
                dates.sent(),
                calls.send(new Request(method, access.basePath() + path, headers, body, timeout)));
    }

    /** Sends a GET whose answer is read as it arrives. */
    public Call stream(String path, String accept, Duration headTimeout, ResponseListener listener) {
        Request request = Request.get(access.basePath() + path, headers(accept), headTimeout);
        return streams.stream(request, new KnownListener(listener));
    }

    /** The server as {@code host:port}. */
    public String server() {
        return "%s:%d".formatted(access.endpoint().host(), access.endpoint().port());
    }

    /** What was sent and how it was answered, watches included. */
    public Traffic traffic() {
        return traffic;
    }

    /** Has somebody hear what time it is at the server; nobody but the latest hears. */
    public void timedBy(AnswerTimes times) {
        dates.listenedToBy(times);
    }

    /** The thread on which listeners of streams are called. */
    public ScheduledExecutorService streamThread() {
        return streams.thread();
    }

    /** The thread on which answers to calls arrive. */
    public ScheduledExecutorService callThread() {
        return calls.thread();
    }

    @Override
    public void close() {
        streams.close();
        calls.close();
        access.credentials().close();
    }

    private List<Header> headers(String accept) {
        List<Header> headers = new ArrayList<>(4);
        headers.add(new Header(ACCEPT, AsciiString.of(accept)));
        headers.add(userAgent);
        Optional<String> value = access.credentials().authorization();
        if (value.isPresent()) {
            headers.add(authorization(value.get()));
        }
        return headers;
    }

    /** A token is long and mostly the same as last time. */
    private Header authorization(String value) {
        Authorization last = authorization;
        if (!last.value.equals(value)) {
            last = new Authorization(value, new Header(AUTHORIZATION, AsciiString.cached(value)));
            authorization = last;
        }
        return last.header;
    }

    private record Authorization(String value, Header header) {}

    private CompletableFuture<Response> known(String method, long sent, CompletableFuture<Response> answer) {
        return answer.whenComplete((response, failure) -> {
                    if (failure == null) {
                        notice(method, response.head());
                        dates.answered(sent, response.head());
                    } else {
                        traffic.answered(method, Traffic.NO_ANSWER);
                    }
                })
                .thenApply(response -> response.status() == UNAUTHORIZED
                        ? response.advising(access.credentials().advice())
                        : response);
    }

    private void notice(String method, Head head) {
        traffic.answered(method, head.status());
        if (head.status() == UNAUTHORIZED) {
            access.credentials().refused();
        }
    }

    /** Tells the credentials when the server did not know us. */
    private final class KnownListener implements ResponseListener {
        private final ResponseListener to;
        private final long sent = dates.sent();
        private boolean answered;

        private KnownListener(ResponseListener to) {
            this.to = to;
        }

        @Override
        public void head(Head head) {
            answered = true;
            notice(GET, head);
            dates.answered(sent, head);
            to.head(
                    head.status() == UNAUTHORIZED
                            ? head.advising(access.credentials().advice())
                            : head);
        }

        @Override
        public void data(ByteBuffer bytes) {
            to.data(bytes);
        }

        @Override
        public void end() {
            to.end();
        }

        @Override
        public void failed(RequestFailed failure) {
            if (!answered) {
                traffic.answered(GET, Traffic.NO_ANSWER);
            }
            to.failed(failure);
        }
    }
}
