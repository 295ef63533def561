package dev.berth.core.resource;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The resources in the spec and in the status of a pod: the input of {@link PodRequests}.
 *
 * @param requests the pod-level requests ({@code spec.resources.requests}), not those of containers
 * @param reported what the kubelet reports for the pod as a whole; empty if {@code status.resources} is absent
 * @param resizeInfeasible whether the condition PodResizePending has the reason Infeasible
 */
public record PodResources(
        List<Container> containers,
        List<Container> initContainers,
        Map<ResourceName, Quantity> requests,
        Map<ResourceName, Quantity> overhead,
        Optional<Reported> reported,
        boolean resizeInfeasible) {

    public PodResources {
        containers = List.copyOf(containers);
        initContainers = List.copyOf(initContainers);
        requests = Map.copyOf(requests);
        overhead = Map.copyOf(overhead);
    }

    /** A pod with these containers and nothing else. */
    public static PodResources of(List<Container> containers) {
        return new PodResources(containers, List.of(), Map.of(), Map.of(), Optional.empty(), false);
    }

    /**
     * A container.
     *
     * @param restartable whether it is a sidecar: an init container with {@code restartPolicy: Always}
     * @param reported what the kubelet reports; empty if its status has no {@code resources}
     */
    public record Container(Map<ResourceName, Quantity> requests, boolean restartable, Optional<Reported> reported) {
        public Container {
            requests = Map.copyOf(requests);
        }

        public static Container requesting(Map<ResourceName, Quantity> requests) {
            return new Container(requests, false, Optional.empty());
        }
    }

    /**
     * What a status reports during and after an in-place resize.
     *
     * @param actuated the requests in effect ({@code resources.requests})
     * @param allocated the requests that the kubelet has allocated ({@code allocatedResources})
     */
    public record Reported(Map<ResourceName, Quantity> actuated, Map<ResourceName, Quantity> allocated) {
        public Reported {
            actuated = Map.copyOf(actuated);
            allocated = Map.copyOf(allocated);
        }
    }
}
