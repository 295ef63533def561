package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes a trial with a difference as small as it can: fewer steps, then fewer fields, as long as the difference stays. */
final class Shrinker {
    private static final Set<String> REQUIRED_FIELDS = Set.of(
            "apiVersion",
            "kind",
            "name",
            "namespace",
            "uid",
            "schedulerName",
            "nodeName",
            "nominatedNodeName",
            "claimName");

    private final KubeSchedulerReferee referee;

    Shrinker(KubeSchedulerReferee referee) {
        this.referee = referee;
    }

    ClusterTrace shrink(ClusterTrace clusterTrace, Difference difference) {
        ClusterTrace small = clusterTrace.with(clusterTrace.steps().subList(0, difference.step() + 1));
        int before;
        do {
            before = small.json().length();
            small = fewerFields(fewerSteps(small, difference.kind()), difference.kind());
        } while (small.json().length() < before);
        return small;
    }

    /** The difference; empty if the trace is invalid now. */
    Optional<Difference> difference(ClusterTrace clusterTrace) {
        try {
            return Difference.firstUnknownIn(clusterTrace, referee.schedule(clusterTrace), new KnownDifferenceCounts());
        } catch (KubeSchedulerReferee.InvalidTraceException | IllegalArgumentException nonsense) {
            return Optional.empty();
        }
    }

    private boolean differs(ClusterTrace clusterTrace, Difference.Kind kind) {
        return difference(clusterTrace).filter(found -> found.kind() == kind).isPresent();
    }

    private ClusterTrace fewerSteps(ClusterTrace clusterTrace, Difference.Kind kind) {
        ClusterTrace small = clusterTrace;
        for (int size = small.steps().size() / 2; size > 0; size /= 2) {
            for (int from = 0; from + size <= small.steps().size(); ) {
                List<TraceStep> rest = new ArrayList<>(small.steps());
                rest.subList(from, from + size).clear();
                if (differs(small.with(rest), kind)) {
                    small = small.with(rest);
                } else {
                    from += size;
                }
            }
        }
        return small;
    }

    private ClusterTrace fewerFields(ClusterTrace clusterTrace, Difference.Kind kind) {
        ClusterTrace small = clusterTrace;
        for (int i = 0; i < small.steps().size(); i++) {
            List<String> paths = new ArrayList<>();
            collect(small.steps().get(i).object(), "", paths);
            for (String path : paths) {
                Optional<ClusterTrace> without = without(small, i, path);
                if (without.isPresent() && differs(without.get(), kind)) {
                    small = without.get();
                }
            }
        }
        return small;
    }

    /** Elements of arrays come last first, so that the places of the others stay true when one is removed. */
    private static void collect(JsonNode node, String path, List<String> paths) {
        if (node instanceof ObjectNode object) {
            object.properties().forEach(field -> {
                if (!REQUIRED_FIELDS.contains(field.getKey())) {
                    String here = path + "/" + field.getKey().replace("~", "~0").replace("/", "~1");
                    paths.add(here);
                    collect(field.getValue(), here, paths);
                }
            });
        } else if (node instanceof ArrayNode array) {
            for (int i = array.size() - 1; i >= 0; i--) {
                paths.add(path + "/" + i);
                collect(array.get(i), path + "/" + i, paths);
            }
        }
    }

    private static Optional<ClusterTrace> without(ClusterTrace clusterTrace, int step, String path) {
        ObjectNode copy = clusterTrace.steps().get(step).object().deepCopy();
        int cut = path.lastIndexOf('/');
        String last = path.substring(cut + 1).replace("~1", "/").replace("~0", "~");
        JsonNode parent = copy.at(path.substring(0, cut));
        boolean removed = (parent instanceof ObjectNode object && object.remove(last) != null)
                || (parent instanceof ArrayNode array && array.remove(Integer.parseInt(last)) != null);
        if (!removed) {
            return Optional.empty();
        }
        List<TraceStep> steps = new ArrayList<>(clusterTrace.steps());
        steps.set(step, steps.get(step).with(copy));
        return Optional.of(clusterTrace.with(steps));
    }
}
