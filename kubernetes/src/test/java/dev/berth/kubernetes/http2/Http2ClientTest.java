package dev.berth.kubernetes.http2;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.berth.core.queue.BackoffPolicy;
import dev.berth.kubeclient.tls.ServerEndpoint;
import dev.berth.kubernetes.http2.RequestFailedException.ProcessingState;
import io.netty.handler.codec.http2.Http2Error;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class Http2ClientTest {
    private static final Duration PATIENT = Duration.ofSeconds(30);
    private static final ConnectionSettings LIMITS = ConnectionSettings.DEFAULT.withReconnectBackoff(
            new BackoffPolicy(Duration.ofMillis(10), Duration.ofMillis(50)));

    @Test
    void everyResponseMatchesItsRequestWithinTheServersStreamLimit() throws Exception {
        try (ScriptedServer server = ScriptedServer.serving(
                        10, in -> in.schedule(() -> in.reply(200, "answer to " + in.path() + in.body()), 1));
                Http2Client client = new Http2Client("test", server.endpoint(), LIMITS)) {
            List<CompletableFuture<Response>> answers = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                answers.add(client.send(post("/" + i, "!" + i)));
            }
            for (int i = 0; i < answers.size(); i++) {
                assertThat(text(answers.get(i))).isEqualTo("answer to /" + i + "!" + i);
            }
            assertThat(server.maxOpenStreams()).isBetween(2, 10);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void aBodyIsFlushedOnAnOtherwiseIdleConnection() throws Exception {
        try (ScriptedServer server = ScriptedServer.serving(in -> in.reply(200, "got " + in.body()));
                Http2Client client = new Http2Client("test", server.endpoint(), LIMITS)) {
            for (int i = 0; i < 5; i++) {
                assertThat(text(client.send(post("/", "body " + i)))).isEqualTo("got body " + i);
            }
        }
    }

    @Test
    void aRefusedStreamIsRetriedUpToTheAttemptLimit() throws Exception {
        AtomicInteger tried = new AtomicInteger();
        try (ScriptedServer server = ScriptedServer.serving(in -> {
                    if (in.path().equals("/never") || tried.incrementAndGet() < 3) {
                        in.reset(Http2Error.REFUSED_STREAM);
                    } else {
                        in.reply(200, "third time");
                    }
                });
                Http2Client client = new Http2Client("test", server.endpoint(), LIMITS)) {
            assertThat(text(client.send(get("/")))).isEqualTo("third time");
            RequestFailedException failure = failure(client.send(get("/never")));
            assertThat(failure.processingState()).isEqualTo(ProcessingState.NOT_PROCESSED);
            assertThat(failure).hasMessageContaining("/never").hasMessageContaining("refused");
        }
    }

    @Test
    void aRequestWhoseStreamCannotBeOpenedFailsBeforeItsDeadline() throws Exception {
        AtomicInteger served = new AtomicInteger();
        try (ScriptedServer server = ScriptedServer.withMaxHeaderListSize(1_000, in -> {
                    served.incrementAndGet();
                    in.reply(200, "here");
                });
                Http2Client client = new Http2Client("test", server.endpoint(), LIMITS)) {
            String path = "/" + "long".repeat(1_000);
            RequestFailedException failure = failure(client.send(Request.get(path, List.of(), Duration.ofHours(1))));
            assertThat(failure.processingState()).isEqualTo(ProcessingState.NOT_PROCESSED);
            assertThat(failure).hasMessageContaining("the stream could not be opened");
            assertThat(text(client.send(get("/short")))).isEqualTo("here");
            assertThat(served).hasValue(1);
        }
    }

    @Test
    void aStreamResetForAnotherReasonHasAnUnknownProcessingState() {
        try (ScriptedServer server = ScriptedServer.serving(in -> in.reset(Http2Error.INTERNAL_ERROR));
                Http2Client client = new Http2Client("test", server.endpoint(), LIMITS)) {
            RequestFailedException failure = failure(client.send(get("/")));
            assertThat(failure.processingState()).isEqualTo(ProcessingState.UNKNOWN);
            assertThat(failure).hasMessageContaining("INTERNAL_ERROR");
        }
    }

    @Test
    void afterGoAwayAcceptedStreamsEndAndRefusedStreamsMoveToANewConnection() throws Exception {
        AtomicInteger served = new AtomicInteger();
        try (ScriptedServer server = ScriptedServer.serving(in -> {
                    if (served.incrementAndGet() == 3) {
                        in.goAway(0);
                    }
                    in.schedule(() -> in.reply(200, in.path()), 20);
                });
                Http2Client client = new Http2Client("test", server.endpoint(), LIMITS)) {
            List<CompletableFuture<Response>> answers = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                answers.add(client.send(get("/" + i)));
            }
            for (int i = 0; i < answers.size(); i++) {
                assertThat(text(answers.get(i))).isEqualTo("/" + i);
            }
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void aLostConnectionLeavesTheProcessingStateUnknownAndTheNextRequestReconnects() throws Exception {
        try (ScriptedServer server = ScriptedServer.serving(in -> {
                    if (in.path().equals("/drop")) {
                        in.dropConnection();
                    } else {
                        in.reply(200, "here");
                    }
                });
                Http2Client client = new Http2Client("test", server.endpoint(), LIMITS)) {
            RequestFailedException failure = failure(client.send(get("/drop")));
            assertThat(failure.processingState()).isEqualTo(ProcessingState.UNKNOWN);
            assertThat(text(client.send(get("/")))).isEqualTo("here");
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void anUnansweredRequestFailsAtItsDeadlineAndItsStreamIsReset() throws Exception {
        try (ScriptedServer server = ScriptedServer.serving(in -> {
                    if (in.path().equals("/here")) {
                        in.reply(200, "here");
                    }
                });
                Http2Client client = new Http2Client("test", server.endpoint(), LIMITS)) {
            // Connecting is no part of the wait: on a busy machine it alone may take longer.
            assertThat(text(client.send(get("/here")))).isEqualTo("here");
            RequestFailedException failure = failure(client.send(Request.get("/", List.of(), Duration.ofSeconds(1))));
            assertThat(failure.processingState()).isEqualTo(ProcessingState.UNKNOWN);
            assertThat(failure).hasMessageContaining("no answer within 1s");
            // The answer to a later request on the same connection proves that the reset has arrived before it.
            assertThat(text(client.send(get("/here")))).isEqualTo("here");
            assertThat(server.resets()).containsExactly(Http2Error.CANCEL.code());
        }
    }

    @Test
    void aRequestThatNeverGotAStreamWasNotProcessed() {
        try (ScriptedServer server = ScriptedServer.serving(1, in -> {});
                Http2Client client = new Http2Client("test", server.endpoint(), LIMITS)) {
            CompletableFuture<Response> first = client.send(get("/first"));
            RequestFailedException failure = failure(client.send(Request.get("/2", List.of(), Duration.ofMillis(200))));
            assertThat(failure.processingState()).isEqualTo(ProcessingState.NOT_PROCESSED);
            assertThat(first).isNotDone();
        }
    }

    @Test
    void aRefusedConnectionIsReportedAndALaterServerIsReached() throws Exception {
        int port;
        try (ScriptedServer server = ScriptedServer.serving(in -> {})) {
            port = server.port();
        }
        try (Http2Client client =
                new Http2Client("test", new ServerEndpoint("127.0.0.1", port, Optional.empty()), LIMITS)) {
            RequestFailedException failure = failure(client.send(get("/")));
            assertThat(failure.processingState()).isEqualTo(ProcessingState.NOT_PROCESSED);
            assertThat(failure).hasMessageContaining("cannot connect to http://127.0.0.1:" + port);
            try (ScriptedServer server = ScriptedServer.servingOn(port, in -> in.reply(200, "back"))) {
                assertThat(text(client.send(get("/")))).isEqualTo("back");
                assertThat(server.connections()).isEqualTo(1);
            }
        }
    }

    @Test
    void aRequestThatTimesOutDuringBackoffReportsTheConnectError() throws Exception {
        int port;
        try (ScriptedServer server = ScriptedServer.serving(in -> {})) {
            port = server.port();
        }
        ConnectionSettings patient = LIMITS.withReconnectBackoff(new BackoffPolicy(PATIENT, PATIENT));
        try (Http2Client client =
                new Http2Client("test", new ServerEndpoint("127.0.0.1", port, Optional.empty()), patient)) {
            String first = failure(client.send(get("/"))).getMessage();
            RequestFailedException inThePause =
                    failure(client.send(Request.get("/", List.of(), Duration.ofMillis(50))));
            assertThat(first).contains("cannot connect to http://127.0.0.1:" + port);
            assertThat(inThePause).hasMessage(first);
            assertThat(inThePause.processingState()).isEqualTo(ProcessingState.NOT_PROCESSED);
        }
    }

    @Test
    void anUnknownHostIsReportedWithTheSameMessageEachTime() throws Exception {
        ServerEndpoint nowhere = new ServerEndpoint("no-such-host.invalid", 1, Optional.empty());
        try (Http2Client client = new Http2Client("test", nowhere, LIMITS)) {
            for (int i = 0; i < 3; i++) {
                assertThat(failure(client.send(get("/"))))
                        .hasMessageEndingWith(
                                "cannot connect to http://no-such-host.invalid:1: the host name (no-such-host.invalid)"
                                        + " cannot be resolved");
            }
        }
    }

    @Test
    void aSilentServerIsDetectedByAPing() {
        try (ScriptedServer server = ScriptedServer.silent();
                Http2Client client = new Http2Client(
                        "test", server.endpoint(), LIMITS.withPing(Duration.ofMillis(50), Duration.ofMillis(100)))) {
            RequestFailedException failure = failure(client.send(get("/")));
            assertThat(failure.processingState()).isEqualTo(ProcessingState.UNKNOWN);
            assertThat(failure).hasMessageContaining("did not answer a ping");
        }
    }

    @Test
    void aServerThatAnswersPingsIsNotDisconnected() throws Exception {
        try (ScriptedServer server = ScriptedServer.serving(in -> in.schedule(() -> in.reply(200, "late"), 500));
                Http2Client client = new Http2Client(
                        "test", server.endpoint(), LIMITS.withPing(Duration.ofMillis(20), Duration.ofSeconds(5)))) {
            assertThat(text(client.send(get("/")))).isEqualTo("late");
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void aLongBodyArrivesWholeAndInOrder() throws Exception {
        int pieces = 400;
        try (ScriptedServer server = ScriptedServer.serving(in -> {
                    in.head(200, "application/octet-stream");
                    for (int i = 0; i < pieces; i++) {
                        byte[] piece = new byte[100_000];
                        java.util.Arrays.fill(piece, (byte) i);
                        in.data(piece);
                    }
                    in.end();
                });
                Http2Client client = new Http2Client("test", server.endpoint(), LIMITS)) {
            CollectingListener collectingListener = new CollectingListener();
            client.stream(get("/"), collectingListener);
            assertThat(collectingListener.ended.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(collectingListener.bytes).isEqualTo(pieces * 100_000L);
            assertThat(collectingListener.outOfOrder).isZero();
        }
    }

    @Test
    void cancellingAStreamNotifiesItsListener() throws Exception {
        try (ScriptedServer server = ScriptedServer.serving(in -> {
                    in.head(200, "text/plain");
                    in.data("more to come".getBytes(UTF_8));
                });
                Http2Client client = new Http2Client("test", server.endpoint(), LIMITS)) {
            CollectingListener collectingListener = new CollectingListener();
            Cancellable cancellable = client.stream(get("/"), collectingListener);
            assertThat(collectingListener.begun.await(10, TimeUnit.SECONDS)).isTrue();
            cancellable.cancel();
            assertThat(collectingListener.ended.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(collectingListener.failure).isPresent();
        }
    }

    @Test
    void aListenerThatThrowsDoesNotAffectOtherRequests() throws Exception {
        try (ScriptedServer server = ScriptedServer.serving(in -> in.reply(200, "fine"));
                Http2Client client = new Http2Client("test", server.endpoint(), LIMITS)) {
            CompletableFuture<RequestFailedException> failed = new CompletableFuture<>();
            client.stream(get("/"), new CollectingListener() {
                @Override
                public void onData(ByteBuffer bytes) {
                    throw new IllegalStateException("cannot read this");
                }

                @Override
                public void onFailure(RequestFailedException failure) {
                    failed.complete(failure);
                }
            });
            assertThat(failed.get(10, TimeUnit.SECONDS)).hasMessageContaining("cannot read this");
            assertThat(text(client.send(get("/")))).isEqualTo("fine");
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void requestsBeyondTheQueueLimitFail() {
        try (ScriptedServer server = ScriptedServer.serving(1, in -> {});
                Http2Client client = new Http2Client("test", server.endpoint(), LIMITS.withMaxQueuedRequests(3))) {
            List<CompletableFuture<Response>> sent = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                sent.add(client.send(get("/" + i)));
            }
            RequestFailedException failure = failure(sent.get(9));
            assertThat(failure).hasMessageContaining("3 requests wait already");
            assertThat(failure.processingState()).isEqualTo(ProcessingState.NOT_PROCESSED);
        }
    }

    @Test
    void closingFailsPendingRequestsAndEndsTheThread() throws Exception {
        CompletableFuture<Response> pending;
        CountDownLatch arrived = new CountDownLatch(1);
        try (ScriptedServer server = ScriptedServer.serving(in -> arrived.countDown())) {
            Http2Client client = new Http2Client("to-be-closed", server.endpoint(), LIMITS);
            pending = client.send(get("/"));
            assertThat(catchThrowable(() ->
                            assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue()))
                    .isNull();
            client.close();
            assertThat(failure(pending).processingState()).isEqualTo(ProcessingState.UNKNOWN);
            assertThat(failure(client.send(get("/")))).hasMessageContaining("closed");
        }
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("to-be-closed")) {
                // It says that it has ended a moment before it does.
                thread.join(10_000);
                assertThat(thread.isAlive()).isFalse();
            }
        }
    }

    @Test
    void invalidArgumentsAreRejected() {
        assertThat(catchThrowable(() -> get("pods"))).hasMessageContaining("path (pods) must begin with /");
        assertThat(catchThrowable(() -> Request.get("/", List.of(), Duration.ZERO)))
                .hasMessageContaining("timeout (PT0S) must be positive");
        assertThat(catchThrowable(() -> LIMITS.withMaxConcurrentStreams(0)))
                .hasMessageContaining("maxConcurrentStreams (0)");
        assertThat(catchThrowable(() -> new ServerEndpoint(" ", 1, Optional.empty())))
                .hasMessageContaining("blank");
        assertThat(catchThrowable(() -> new ServerEndpoint("h", 70_000, Optional.empty())))
                .hasMessageContaining("70000");
    }

    private static Request get(String path) {
        return Request.get(path, List.of(), PATIENT);
    }

    private static Request post(String path, String body) {
        return new Request("POST", path, List.of(), body.getBytes(UTF_8), PATIENT);
    }

    private static String text(CompletableFuture<Response> answer) throws Exception {
        return new String(answer.get(30, TimeUnit.SECONDS).body(), UTF_8);
    }

    private static RequestFailedException failure(CompletableFuture<Response> answer) {
        Throwable thrown = catchThrowable(() -> answer.get(30, TimeUnit.SECONDS));
        assertThat(thrown).isInstanceOf(ExecutionException.class);
        assertThat(thrown.getCause()).isInstanceOf(RequestFailedException.class);
        return (RequestFailedException) thrown.getCause();
    }

    private static class CollectingListener implements ResponseListener {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch ended = new CountDownLatch(1);
        long bytes;
        int outOfOrder;
        private Optional<RequestFailedException> failure = Optional.empty();

        @Override
        public void onHead(ResponseHead head) {}

        @Override
        public void onData(ByteBuffer piece) {
            begun.countDown();
            while (piece.hasRemaining()) {
                if (piece.get() != (byte) (bytes / 100_000)) {
                    outOfOrder++;
                }
                bytes++;
            }
        }

        @Override
        public void onEnd() {
            ended.countDown();
        }

        @Override
        public void onFailure(RequestFailedException why) {
            failure = Optional.of(why);
            ended.countDown();
        }
    }
}
