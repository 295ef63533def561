package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.kubernetes.schedulerconfig.KubeSchedulerConfiguration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A sequence of changes in a cluster.
 *
 * @param seed the seed of its generator
 * @param configuration the KubeSchedulerConfiguration; empty for the default
 */
record ClusterTrace(long seed, Optional<ObjectNode> configuration, List<TraceStep> steps) {
    ClusterTrace {
        steps = List.copyOf(steps);
    }

    ClusterTrace(long seed, List<TraceStep> steps) {
        this(seed, Optional.empty(), steps);
    }

    ClusterTrace with(List<TraceStep> others) {
        return new ClusterTrace(seed, configuration, others);
    }

    /** As Berth reads the configuration. */
    Profiles profiles() {
        return configuration
                .map(file -> KubeSchedulerConfiguration.read(ApiObjects.JSON.convertValue(file, Map.class))
                        .readProfiles())
                .orElseGet(() -> Profiles.forSchedulers(Set.of("default-scheduler"), Profile.DEFAULT));
    }

    /** One line of JSON for the referee. */
    String json() {
        ObjectNode trace = ApiObjects.JSON.createObjectNode();
        configuration.ifPresent(file -> trace.set("configuration", file));
        ArrayNode list = trace.putArray("steps");
        steps.forEach(step -> list.addObject().set(step.kind().jsonName(), step.object()));
        return trace.toString();
    }

    /** As YAML for users. */
    String yaml() {
        return configuration.map(ApiObjects::yaml).orElse("")
                + steps.stream()
                        .map(step -> "# %s%n%s".formatted(step.kind().jsonName(), ApiObjects.yaml(step.object())))
                        .collect(Collectors.joining());
    }
}
