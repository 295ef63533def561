package dev.berth.kubernetes.schedulerconfig;

import dev.berth.core.placement.profile.ResourceScoring;
import dev.berth.core.placement.profile.ResourceScoring.Weighed;
import dev.berth.core.placement.score.FitStrategy;
import dev.berth.core.placement.score.FitStrategy.RequestedToCapacityRatio;
import dev.berth.core.resource.ResourceName;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The arguments of the plugins that score amounts. */
final class ResourceArguments {
    private static final String LEAST = "LeastAllocated";
    private static final String MOST = "MostAllocated";
    private static final String RATIO = "RequestedToCapacityRatio";
    private static final String SHAPE = "requestedToCapacityRatio";

    private ResourceArguments() {}

    static ResourceScoring fit(Setting args, ResourceScoring before) {
        for (String key : List.of("ignoredResources", "ignoredResourceGroups")) {
            if (!args.at(key).items().isEmpty()) {
                throw args.at(key).wrong("is not supported: Berth counts whatever a pod asks for. Leave it out");
            }
        }
        Setting strategy = args.at("scoringStrategy").only(Set.of("type", "resources", SHAPE));
        if (!strategy.isThere()) {
            return before;
        }
        List<Weighed> resources = resources(strategy.at("resources"), 100);
        return before.withFit(strategy(strategy), resources.isEmpty() ? ResourceScoring.USUAL.fit() : resources);
    }

    private static FitStrategy strategy(Setting strategy) {
        Setting type = strategy.at("type");
        List<String> types = List.of(LEAST, MOST, RATIO);
        String word = type.word(types).orElseThrow(() -> type.wrong("must be one of " + String.join(", ", types)));
        Setting ratio = strategy.at(SHAPE).only(Set.of("shape"));
        if (word.equals(RATIO)) {
            return ratio(ratio);
        }
        if (ratio.isThere()) {
            throw ratio.wrong("is for the type %s alone, and the type is %s. Leave one out".formatted(RATIO, word));
        }
        return word.equals(MOST) ? new FitStrategy.MostAllocated() : new FitStrategy.LeastAllocated();
    }

    private static FitStrategy ratio(Setting ratio) {
        Setting shape = ratio.at("shape");
        if (shape.items().isEmpty()) {
            throw shape.wrong("must have at least one point, such as {utilization: 0, score: 0}");
        }
        List<RequestedToCapacityRatio.Point> points = new ArrayList<>();
        for (Setting point : shape.items()) {
            point.only(Set.of("utilization", "score"));
            int utilization = point.at("utilization").number(0, 100).orElse(0);
            if (!points.isEmpty() && points.get(points.size() - 1).utilization() >= utilization) {
                throw point.at("utilization").wrong("must be more than that of the point before it");
            }
            points.add(new RequestedToCapacityRatio.Point(
                    utilization, point.at("score").number(0, 10).orElse(0)));
        }
        return new RequestedToCapacityRatio(points);
    }

    static ResourceScoring balanced(Setting args, ResourceScoring before) {
        List<ResourceName> names = new ArrayList<>();
        Set<ResourceName> seen = new HashSet<>();
        for (Setting item : args.at("resources").items()) {
            Weighed resource = resource(item, 1);
            if (!seen.add(resource.name())) {
                throw item.at("name").wrong("is named twice: leave out one");
            }
            names.add(resource.name());
        }
        return names.isEmpty() ? before : before.withBalanced(names);
    }

    private static List<Weighed> resources(Setting list, int most) {
        return list.items().stream().map(item -> resource(item, most)).toList();
    }

    /** A weight that is not said or zero counts as one. */
    private static Weighed resource(Setting item, int most) {
        item.only(Set.of("name", "weight"));
        int weight = item.at("weight").number(0, most).orElse(0);
        return new Weighed(new ResourceName(item.at("name").name()), Math.max(1, weight));
    }
}
