package dev.berth.kubernetes.schedulerconfig;

import dev.berth.core.placement.profile.ResourceScoring;
import dev.berth.core.placement.profile.ResourceScoring.ResourceWeight;
import dev.berth.core.placement.score.ScoringStrategy;
import dev.berth.core.placement.score.ScoringStrategy.RequestedToCapacityRatio;
import dev.berth.core.resource.ResourceName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Reads the arguments of the plugins that score resources. */
final class NodeResourcesArgsReader {
    private static final String LEAST_ALLOCATED = "LeastAllocated";
    private static final String MOST_ALLOCATED = "MostAllocated";
    private static final String REQUESTED_TO_CAPACITY_RATIO = "RequestedToCapacityRatio";
    private static final String RATIO_KEY = "requestedToCapacityRatio";

    private NodeResourcesArgsReader() {}

    static ResourceScoring readFit(ConfigNode args, ResourceScoring before) {
        for (String key : List.of("ignoredResources", "ignoredResourceGroups")) {
            if (!args.get(key).items().isEmpty()) {
                throw args.get(key).invalid("is not supported: Berth counts every requested resource. Remove it");
            }
        }
        ConfigNode strategy = args.get("scoringStrategy").allowKeys(Set.of("type", "resources", RATIO_KEY));
        if (!strategy.isPresent()) {
            return before;
        }
        List<ResourceWeight> resources = resources(strategy.get("resources"), 100);
        return before.withFit(
                strategy(strategy), resources.isEmpty() ? ResourceScoring.DEFAULT.fitResources() : resources);
    }

    private static ScoringStrategy strategy(ConfigNode strategy) {
        ConfigNode type = strategy.get("type");
        List<String> types = List.of(LEAST_ALLOCATED, MOST_ALLOCATED, REQUESTED_TO_CAPACITY_RATIO);
        String word = type.oneOf(types).orElseThrow(() -> type.invalid("must be one of " + String.join(", ", types)));
        ConfigNode ratio = strategy.get(RATIO_KEY).allowKeys(Set.of("shape"));
        if (word.equals(REQUESTED_TO_CAPACITY_RATIO)) {
            return ratio(ratio);
        }
        if (ratio.isPresent()) {
            throw ratio.invalid("is only valid for the type %s, and the type is %s. Remove one of them"
                    .formatted(REQUESTED_TO_CAPACITY_RATIO, word));
        }
        return word.equals(MOST_ALLOCATED) ? new ScoringStrategy.MostAllocated() : new ScoringStrategy.LeastAllocated();
    }

    private static ScoringStrategy ratio(ConfigNode ratio) {
        ConfigNode shape = ratio.get("shape");
        if (shape.items().isEmpty()) {
            throw shape.invalid("must have at least one point, such as {utilization: 0, score: 0}");
        }
        List<RequestedToCapacityRatio.UtilizationShapePoint> points = new ArrayList<>();
        for (ConfigNode point : shape.items()) {
            point.allowKeys(Set.of("utilization", "score"));
            int utilization = point.get("utilization").number(0, 100).orElse(0);
            if (!points.isEmpty() && points.get(points.size() - 1).utilization() >= utilization) {
                throw point.get("utilization").invalid("must be greater than that of the previous point");
            }
            points.add(new RequestedToCapacityRatio.UtilizationShapePoint(
                    utilization, point.get("score").number(0, 10).orElse(0)));
        }
        return new RequestedToCapacityRatio(points);
    }

    static ResourceScoring readBalancedAllocation(ConfigNode args, ResourceScoring before) {
        List<ResourceName> names = new ArrayList<>();
        Set<ResourceName> seen = new HashSet<>();
        for (ConfigNode item : args.get("resources").items()) {
            ResourceWeight resource = resource(item, 1);
            if (!seen.add(resource.name())) {
                throw item.get("name").invalid("is named twice. Remove one");
            }
            names.add(resource.name());
        }
        return names.isEmpty() ? before : before.withBalanced(names);
    }

    private static List<ResourceWeight> resources(ConfigNode list, int maxWeight) {
        return list.items().stream().map(item -> resource(item, maxWeight)).toList();
    }

    /** A missing or zero weight counts as one. */
    private static ResourceWeight resource(ConfigNode item, int maxWeight) {
        item.allowKeys(Set.of("name", "weight"));
        int weight = item.get("weight").number(0, maxWeight).orElse(0);
        return new ResourceWeight(new ResourceName(item.get("name").requiredText()), Math.max(1, weight));
    }
}
