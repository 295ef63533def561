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
 * What happens in a cluster, one thing after the other.
 *
 * @param seed what it was drawn from
 * @param configuration how the scheduler is configured, as in kube-scheduler's file; by default where it is empty
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

    /** As the referee reads it, in one line. */
    String json() {
        ObjectNode trial = ApiObjects.JSON.createObjectNode();
        configuration.ifPresent(file -> trial.set("configuration", file));
        ArrayNode list = trial.putArray("steps");
        steps.forEach(step -> list.addObject().set(step.kind().word(), step.object()));
        return trial.toString();
    }

    /** As people read it. */
    String yaml() {
        return configuration.map(ApiObjects::yaml).orElse("")
                + steps.stream()
                        .map(step -> "# %s%n%s".formatted(step.kind().word(), ApiObjects.yaml(step.object())))
                        .collect(Collectors.joining());
    }
}
