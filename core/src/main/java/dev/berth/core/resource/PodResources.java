package dev.berth.core.resource;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a pod says about resources, in its specification and in its status: the input of {@link PodRequests}.
 *
 * @param requests the pod's own ({@code spec.resources.requests}), not its containers'
 * @param reported what the kubelet says the pod as a whole has; empty where {@code status.resources} is absent
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

    /** A pod of these containers and nothing more. */
    public static PodResources of(List<Container> containers) {
        return new PodResources(containers, List.of(), Map.of(), Map.of(), Optional.empty(), false);
    }

    /**
     * A container.
     *
     * @param restartable whether it is an init container that runs on beside the others ({@code restartPolicy: Always})
     * @param reported what the kubelet says it has; empty where its status has no {@code resources}
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
     * What a status reports during and after a resize in place.
     *
     * @param actuated the requests that are in force ({@code resources.requests})
     * @param allocated the requests that the kubelet has set aside ({@code allocatedResources})
     */
    public record Reported(Map<ResourceName, Quantity> actuated, Map<ResourceName, Quantity> allocated) {
        public Reported {
            actuated = Map.copyOf(actuated);
            allocated = Map.copyOf(allocated);
        }
    }
}
