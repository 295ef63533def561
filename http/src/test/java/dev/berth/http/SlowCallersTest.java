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
class SlowCallersTest {
    private static final Duration LIMIT = Duration.ofMillis(300);
    /** Far below the 10 s that are the default. */
    private static final long SOON = TimeUnit.SECONDS.toNanos(5);

    private static final String HEAD = "POST /length HTTP/1.1\r\nHost: x\r\n";
    private static final int SENT = 40_000;
    private static final int MOST_CONNECTIONS = 1_024;

    private final ByteBudget budget = new ByteBudget(1_000_000);
    private final List<Socket> callers = new ArrayList<>();
    private HttpListener listener;

    @BeforeEach
    void start() throws IOException {
        Router router = new Router().post("/length", asked -> Reply.text(200, Integer.toString(asked.body().length)));
        ListenerSettings settings =
                ListenerSettings.at(ListenerSettings.LOOPBACK, 0).withThreads(1).withReadWithin(LIMIT);
        listener = HttpListener.start("test-slow", settings, router, budget);
    }

    @AfterEach
    void end() throws IOException {
        for (Socket caller : callers) {
            caller.close();
        }
        listener.close();
    }

    private Socket caller(String begins) throws IOException {
        Socket caller = new Socket(InetAddress.getLoopbackAddress(), listener.port());
        callers.add(caller);
        caller.setSoTimeout(20);
        caller.getOutputStream().write(begins.getBytes(StandardCharsets.US_ASCII));
        return caller;
    }

    /** Sends a byte each time that nothing came back for a moment. */
    private static boolean isCutOffSoon(Socket caller) {
        long until = System.nanoTime() + SOON;
        while (System.nanoTime() < until) {
            try {
                if (caller.getInputStream().read() < 0) {
                    return true;
                }
            } catch (SocketTimeoutException nothingCame) {
                sendByte(caller);
            } catch (IOException reset) {
                return true;
            }
        }
        return false;
    }

    /** To a connection that is closed nothing can be sent, which the next read says. */
    private static void sendByte(Socket caller) {
        try {
            caller.getOutputStream().write('x');
        } catch (IOException closed) {
            assertThat(closed).isNotInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void aCallerThatSendsItsHeadByteByByteIsCutOff() throws Exception {
        assertThat(isCutOffSoon(caller(HEAD + "X-Long: "))).isTrue();
    }

    @Test
    void aCallerThatSendsItsBodyByteByByteIsCutOffAndItsMemoryIsGivenBack() throws Exception {
        Socket caller = caller(HEAD + "Content-Length: 100000\r\n\r\n" + "x".repeat(SENT));
        assertThat(isCutOffSoon(caller)).isTrue();
        nothingIsInUse();
    }

    private void nothingIsInUse() {
        long until = System.nanoTime() + SOON;
        while (budget.used() > 0 && System.nanoTime() < until) {
            Thread.onSpinWait();
        }
        assertThat(budget.used()).isZero();
    }

    @Test
    void slowCallersOnAllThreadsKeepOthersOutOnlyUntilTheLimit() throws Exception {
        for (int i = 0; i < 12; i++) {
            caller(i % 2 == 0 ? HEAD + "X-Long: " : HEAD + "Content-Length: 100000\r\n\r\nx");
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
        Router router = new Router().post("/length", asked -> {
            long until = System.nanoTime() + LIMIT.multipliedBy(2).toNanos();
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            return Reply.text(200, Thread.currentThread().isInterrupted() ? "interrupted" : "answered");
        });
        ListenerSettings settings =
                ListenerSettings.at(ListenerSettings.LOOPBACK, 0).withReadWithin(LIMIT);
        listener = HttpListener.start("test-long", settings, router, budget);
        assertThat(answer("hello")).isEqualTo("answered");
    }

    @Test
    void connectionsBeyondTheMostAreClosed() throws Exception {
        for (int i = 0; i < MOST_CONNECTIONS; i++) {
            caller("");
        }
        assertThat(isCutOffSoon(caller(""))).isTrue();
        assertThat(callers.get(0).getInputStream().available())
                .as("the first are still connected")
                .isZero();
    }
}
