package dev.berth.sandbox.validation.pod.container;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;

/**
 * What the parts of a pod need to know of the whole.
 *
 * @param volumes its good volumes by name
 * @param claims the names of its resource claims
 * @param grace how many seconds it has to end
 */
public record PodContext(Map<String, ObjectNode> volumes, Set<String> claims, long grace, String operatingSystem) {
    public PodContext {
        volumes = Map.copyOf(volumes);
        claims = Set.copyOf(claims);
    }
}
