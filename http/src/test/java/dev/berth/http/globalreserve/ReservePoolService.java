package dev.berth.http.globalreserve;

import dev.berth.client.ReservePool;
import dev.berth.client.ReserveRequest.PodAssignment;
import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.door.globalreserve.ReserveRequest;
import dev.berth.core.door.globalreserve.ReserveResponse;
import dev.berth.core.door.globalreserve.ReserveService;
import java.util.Locale;
import java.util.Map;

/** Calls a {@link ReservePool} for the contract of {@link ReserveService}. */
record ReservePoolService(ReservePool pool) implements ReserveService {
    @Override
    public ReserveResponse reserve(ReserveRequest request) throws InterruptedException {
        return toCore(pool.reserve(toClient(request)));
    }

    @Override
    public ReserveResponse unreserve(ReserveRequest request) throws InterruptedException {
        return toCore(pool.unreserve(toClient(request)));
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
        for (Map.Entry<String, String> request :
                pod.spec().requests().toQuantities().entrySet()) {
            plain = plain.withRequest(request.getKey(), request.getValue());
        }
        for (HostPort port : pod.spec().hostPorts()) {
            plain = plain.withHostPort(new dev.berth.client.Pod.HostPort(port.port(), port.protocol(), port.address()));
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
