package dev.berth.http.globalreserve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.client.RemoteReservePool;
import dev.berth.client.ReserveRequest.PodAssignment;
import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.door.globalreserve.ReservePool;
import dev.berth.core.door.globalreserve.ReserveRequest;
import dev.berth.core.door.globalreserve.ReserveResponse;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.http.HttpListener;
import dev.berth.http.ListenerSettings;
import dev.berth.http.Router;
import dev.berth.http.budget.ByteBudget;
import dev.berth.kubernetes.door.globalreserve.JsonPodReader;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The pool of a Berth elsewhere, all the way over HTTP. */
final class RemoteReservePoolTest extends ReservePoolContract {
    private Optional<HttpListener> listener = Optional.empty();

    @Override
    ReservePool open(FakeReserveCluster opened) throws IOException {
        Router router = new ReserveEndpoints(opened.pool(), new JsonPodReader()::read).addTo(new Router());
        HttpListener open = HttpListener.start(
                "test-reserve", ListenerSettings.of(ListenerSettings.LOOPBACK, 0), router, new ByteBudget(10_000_000));
        listener = Optional.of(open);
        return new FromCorePods(new RemoteReservePool(URI.create(open.url() + "/")));
    }

    /** What the contract asks for, as a scheduler in another process asks for it. */
    private record FromCorePods(RemoteReservePool remote) implements ReservePool {
        @Override
        public ReserveResponse reserve(ReserveRequest request) throws InterruptedException {
            return toCore(remote.reserve(toClient(request)));
        }

        @Override
        public ReserveResponse unreserve(ReserveRequest request) throws InterruptedException {
            return toCore(remote.unreserve(toClient(request)));
        }

        private static dev.berth.client.ReserveRequest toClient(ReserveRequest request) {
            return new dev.berth.client.ReserveRequest(
                    request.schedulerName(),
                    request.assignments().stream()
                            .map(assignment -> new PodAssignment(toClient(assignment.pod()), assignment.nodeName()))
                            .toList());
        }

        private static dev.berth.client.Pod toClient(Pod pod) {
            dev.berth.client.Pod plain = dev.berth.client.Pod.of(
                            pod.namespace(), pod.name(), pod.uid().value())
                    .withPhase(phaseName(pod.phase()));
            Resources requests = pod.spec().requests();
            for (int i = 0; i < requests.size(); i++) {
                ResourceName resource = requests.nameAt(i);
                plain = plain.withRequest(
                        resource.value(),
                        Quantity.of(resource, requests.amountAt(i)).toString());
            }
            for (HostPort port : pod.spec().hostPorts()) {
                plain = plain.withHostPort(
                        new dev.berth.client.Pod.HostPort(port.port(), port.protocol(), port.address()));
            }
            return plain;
        }

        private static String phaseName(PodPhase phase) {
            String upper = phase.name();
            return upper.charAt(0) + upper.substring(1).toLowerCase(Locale.ROOT);
        }

        private static ReserveResponse toCore(dev.berth.client.ReserveResponse response) {
            return new ReserveResponse(
                    response.requestValid(), response.failedPods(), response.error(), response.details());
        }
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
