package dev.berth.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.http.budget.ByteBudget;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Callers that send a request byte by byte keep neither a thread nor memory for longer than the limit. */
@Timeout(60)
class SlowClientsTest {
    private static final Duration LIMIT = Duration.ofMillis(300);
    /** Far below the 10 s that are the default. */
    private static final long SOON = TimeUnit.SECONDS.toNanos(5);

    private static final String HEAD = "POST /length HTTP/1.1\r\nHost: x\r\n";
    private static final int SENT = 40_000;
    private static final int MAX_CONNECTIONS = 1_024;

    private final ByteBudget budget = new ByteBudget(1_000_000);
    private final List<Socket> callers = new ArrayList<>();
    private HttpListener listener;

    @BeforeEach
    void start() throws IOException {
        Router router = new Router()
                .post(
                        "/length",
                        serverRequest -> ServerResponse.text(200, Integer.toString(serverRequest.body().length)));
        ListenerSettings settings =
                ListenerSettings.of(ListenerSettings.LOOPBACK, 0).withThreads(1).withReadTimeout(LIMIT);
        listener = HttpListener.start("test-slow", settings, router, budget);
    }

    @AfterEach
    void end() throws IOException {
        for (Socket client : callers) {
            client.close();
        }
        listener.close();
    }

    private Socket openClient(String begins) throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        callers.add(client);
        client.setSoTimeout(20);
        client.getOutputStream().write(begins.getBytes(StandardCharsets.US_ASCII));
        return client;
    }

    /** Sends a byte each time that nothing came back for a moment. */
    private static boolean isDisconnectedSoon(Socket client) {
        long until = System.nanoTime() + SOON;
        while (System.nanoTime() < until) {
            try {
                if (client.getInputStream().read() < 0) {
                    return true;
                }
            } catch (SocketTimeoutException nothingCame) {
                sendByte(client);
            } catch (IOException reset) {
                return true;
            }
        }
        return false;
    }

    /** To a connection that is closed nothing can be sent, which the next read says. */
    private static void sendByte(Socket client) {
        try {
            client.getOutputStream().write('x');
        } catch (IOException closed) {
            assertThat(closed).isNotInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void aClientThatSendsItsHeadersByteByByteIsDisconnected() throws Exception {
        assertThat(isDisconnectedSoon(openClient(HEAD + "X-Long: "))).isTrue();
    }

    @Test
    void aClientThatSendsItsBodyByteByByteIsDisconnectedAndItsMemoryIsReleased() throws Exception {
        Socket client = openClient(HEAD + "Content-Length: 100000\r\n\r\n" + "x".repeat(SENT));
        assertThat(isDisconnectedSoon(client)).isTrue();
        assertNoMemoryInUse();
    }

    private void assertNoMemoryInUse() {
        long until = System.nanoTime() + SOON;
        while (budget.used() > 0 && System.nanoTime() < until) {
            Thread.onSpinWait();
        }
        assertThat(budget.used()).isZero();
    }

    @Test
    void slowClientsOnAllThreadsBlockOthersOnlyUntilTheReadTimeout() throws Exception {
        for (int i = 0; i < 12; i++) {
            openClient(i % 2 == 0 ? HEAD + "X-Long: " : HEAD + "Content-Length: 100000\r\n\r\nx");
        }
        assertThat(answer("hello")).isEqualTo("5");
    }

    private String answer(String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(listener.url() + "/length"))
                .timeout(Duration.ofNanos(SOON))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void aRequestThatTakesLongerToAnswerThanToReadIsAnswered() throws Exception {
        listener.close();
        Router router = new Router().post("/length", serverRequest -> {
            long until = System.nanoTime() + LIMIT.multipliedBy(2).toNanos();
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            return ServerResponse.text(200, Thread.currentThread().isInterrupted() ? "interrupted" : "answered");
        });
        ListenerSettings settings =
                ListenerSettings.of(ListenerSettings.LOOPBACK, 0).withReadTimeout(LIMIT);
        listener = HttpListener.start("test-long", settings, router, budget);
        assertThat(answer("hello")).isEqualTo("answered");
    }

    @Test
    void connectionsBeyondTheLimitAreClosed() throws Exception {
        for (int i = 0; i < MAX_CONNECTIONS; i++) {
            openClient("");
        }
        assertThat(isDisconnectedSoon(openClient(""))).isTrue();
        assertThat(callers.get(0).getInputStream().available())
                .as("the first are still connected")
                .isZero();
    }
}
