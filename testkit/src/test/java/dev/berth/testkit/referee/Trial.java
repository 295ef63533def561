package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What happens in a cluster, one thing after the other.
 *
 * @param seed what it was drawn from
 */
record Trial(long seed, List<Step> steps) {
    Trial {
        steps = List.copyOf(steps);
    }

    Trial with(List<Step> others) {
        return new Trial(seed, others);
    }

    /** As the referee reads it, in one line. */
    String json() {
        ObjectNode trial = Objects.JSON.createObjectNode();
        ArrayNode list = trial.putArray("steps");
        steps.forEach(step -> list.addObject().set(step.kind().word(), step.object()));
        return trial.toString();
    }

    /** As people read it. */
    String yaml() {
        return steps.stream()
                .map(step -> "# %s%n%s".formatted(step.kind().word(), Objects.yaml(step.object())))
                .collect(Collectors.joining());
    }
}
