package dev.berth.http.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.http.HttpListener;
import dev.berth.http.ListenerSettings;
import dev.berth.http.Router;
import dev.berth.http.budget.ByteBudget;
import dev.berth.http.diagnostics.HealthCheck.HealthStatus;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HealthApiTest {
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(30)).build();
    private volatile HealthStatus loop = HealthStatus.healthy("");
    private HttpListener listener;

    @BeforeEach
    void start() throws Exception {
        HealthCheck ping = new HealthCheck("ping", () -> HealthStatus.healthy(""));
        Router router =
                new HealthApi("livez", List.of(ping, new HealthCheck("loop", () -> loop))).registerOn(new Router());
        listener = HttpListener.start(
                "test-health", ListenerSettings.of(ListenerSettings.LOOPBACK, 0), router, new ByteBudget(10_000_000));
    }

    @AfterEach
    void end() {
        listener.close();
    }

    private String get(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(listener.url() + path))
                .timeout(Duration.ofSeconds(30))
                .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    @Test
    void healthyChecksAnswerOkOrOneLineEachWhenVerbose() throws Exception {
        assertThat(get("/livez")).isEqualTo("200 ok");
        assertThat(get("/livez?verbose")).isEqualTo("200 [+]ping ok\n[+]loop ok\nlivez check passed\n");
        assertThat(get("/livez?timeout=1s&verbose=true")).startsWith("200 [+]ping ok");
        assertThat(get("/livez/loop")).isEqualTo("200 ok");
    }

    @Test
    void failedChecksAreListedEvenWithoutVerbose() throws Exception {
        loop = HealthStatus.unhealthy("it has not answered for 61 s");
        String said = "500 [+]ping ok\n[-]loop failed: it has not answered for 61 s\nlivez check failed\n";
        assertThat(get("/livez")).isEqualTo(said);
        assertThat(get("/livez?verbose")).isEqualTo(said);
        assertThat(get("/livez/ping")).isEqualTo("200 ok");
        assertThat(get("/livez/loop")).startsWith("500 [-]loop failed");
    }

    @Test
    void anUnknownCheckIsNotFound() throws Exception {
        assertThat(get("/livez/etcd")).startsWith("404 ");
    }

    @Test
    void aCheckNameMustBeLowerCase() {
        assertThatThrownBy(() -> new HealthCheck("Loop", () -> HealthStatus.healthy("")))
                .hasMessageContaining("(Loop)");
    }
}
