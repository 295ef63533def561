package dev.berth.engine.globalreserve;

import dev.berth.client.Pod;
import dev.berth.client.ReservePool;
import dev.berth.client.ReserveRequest;
import dev.berth.client.ReserveResponse;
import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.globalreserve.ReserveService;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The reserve pool for a scheduler in the process of the ledger. It translates the values of the client. */
public final class LocalReservePool implements ReservePool {
    private final ReserveService service;

    public LocalReservePool(ReserveService service) {
        this.service = service;
    }

    @Override
    public ReserveResponse reserve(ReserveRequest request) throws InterruptedException {
        return call(request, service::reserve);
    }

    @Override
    public ReserveResponse unreserve(ReserveRequest request) throws InterruptedException {
        return call(request, service::unreserve);
    }

    private interface ServiceCall {
        dev.berth.core.door.globalreserve.ReserveResponse apply(
                dev.berth.core.door.globalreserve.ReserveRequest request) throws InterruptedException;
    }

    private static ReserveResponse call(ReserveRequest request, ServiceCall serviceCall) throws InterruptedException {
        dev.berth.core.door.globalreserve.ReserveRequest translated;
        try {
            translated = translate(request);
        } catch (IllegalArgumentException malformed) {
            return ReserveResponse.invalidRequest(String.valueOf(malformed.getMessage()));
        }
        dev.berth.core.door.globalreserve.ReserveResponse response = serviceCall.apply(translated);
        return new ReserveResponse(
                response.requestValid(), response.failedPods(), response.error(), response.details());
    }

    private static dev.berth.core.door.globalreserve.ReserveRequest translate(ReserveRequest request) {
        return new dev.berth.core.door.globalreserve.ReserveRequest(
                request.schedulerName(),
                request.assignments().stream()
                        .map(assignment -> new dev.berth.core.door.globalreserve.ReserveRequest.PodAssignment(
                                translate(assignment.pod()), assignment.nodeName()))
                        .toList());
    }

    private static dev.berth.core.cluster.Pod translate(Pod pod) {
        return dev.berth.core.cluster.Pod.builder(new PodUid(pod.uid()), pod.namespace(), pod.name())
                .phase(phase(pod.phase()))
                .spec(PodSpec.builder()
                        .requests(requests(pod))
                        .hostPorts(hostPorts(pod))
                        .build())
                .build();
    }

    private static Resources requests(Pod pod) {
        Map<ResourceName, Quantity> quantities = new HashMap<>();
        pod.requests().forEach((resource, text) -> {
            Quantity quantity;
            try {
                quantity = Quantity.parse(text);
            } catch (IllegalArgumentException malformed) {
                throw new IllegalArgumentException(
                        "Pod %s/%s: request of %s: %s"
                                .formatted(pod.namespace(), pod.name(), resource, malformed.getMessage()),
                        malformed);
            }
            if (quantity.isNegative()) {
                throw new IllegalArgumentException("Pod %s/%s: request of %s (%s) is negative"
                        .formatted(pod.namespace(), pod.name(), resource, text));
            }
            quantities.put(new ResourceName(resource), quantity);
        });
        return Resources.ofQuantities(quantities);
    }

    private static List<HostPort> hostPorts(Pod pod) {
        return pod.hostPorts().stream()
                .map(port -> new HostPort(port.protocol(), port.hostIp(), port.port()))
                .toList();
    }

    /** A phase that Kubernetes does not have is unknown, as in the status of a pod. */
    private static PodPhase phase(String name) {
        return Arrays.stream(PodPhase.values())
                .filter(phase -> phase.name().equalsIgnoreCase(name))
                .findFirst()
                .orElse(PodPhase.UNKNOWN);
    }
}
