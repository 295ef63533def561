package dev.berth.http.globalreserve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.RemoteReservePool;
import dev.berth.core.door.globalreserve.ReserveService;
import dev.berth.http.HttpListener;
import dev.berth.http.ListenerSettings;
import dev.berth.http.Router;
import dev.berth.http.budget.ByteBudget;
import dev.berth.kubernetes.door.globalreserve.JsonPodReader;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The pool of a Berth elsewhere, all the way over HTTP. */
final class RemoteReservePoolTest extends ReserveServiceContract {
    private Optional<HttpListener> listener = Optional.empty();

    @Override
    ReserveService open(FakeReserveCluster opened) throws IOException {
        Router router = new ReserveEndpoints(opened.pool(), new JsonPodReader()::read).addTo(new Router());
        HttpListener open = HttpListener.start(
                "test-reserve", ListenerSettings.of(ListenerSettings.LOOPBACK, 0), router, new ByteBudget(10_000_000));
        listener = Optional.of(open);
        return new ReservePoolService(new RemoteReservePool(URI.create(open.url() + "/")));
    }

    @AfterEach
    void close() {
        listener.ifPresent(HttpListener::close);
        listener = Optional.empty();
    }

    @Test
    void anUnreachableBerthIsARejection() throws Exception {
        String url = listener.orElseThrow().url();
        close();

        dev.berth.client.ReserveResponse answer =
                new RemoteReservePool(URI.create(url)).reserve(new dev.berth.client.ReserveRequest("batch", List.of()));

        assertThat(answer.error()).startsWith("Failed /reserve with URL " + url);
    }

    @Test
    void aMalformedAddressIsRejected() {
        assertThatThrownBy(() -> new RemoteReservePool(URI.create("localhost:23456")))
                .hasMessage("address (localhost:23456) must be like http://127.0.0.1:23456");
    }
}
