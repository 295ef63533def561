package dev.berth.kubernetes.schedulerconfig;

import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.placement.profile.SpreadDefaults;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the arguments of PodTopologySpread. */
final class PodTopologySpreadArgsReader {
    private static final Set<String> KEYS = Set.of(
            "maxSkew",
            "topologyKey",
            "whenUnsatisfiable",
            "labelSelector",
            "minDomains",
            "nodeAffinityPolicy",
            "nodeTaintsPolicy",
            "matchLabelKeys");
    private static final List<String> ACTIONS = List.of("DoNotSchedule", "ScheduleAnyway");
    private static final List<String> POLICIES = List.of("Honor", "Ignore");

    private PodTopologySpreadArgsReader() {}

    static SpreadDefaults read(ConfigNode args) {
        ConfigNode type = args.get("defaultingType");
        String word = type.oneOf(List.of("System", "List")).orElse("System");
        ConfigNode list = args.get("defaultConstraints");
        if (word.equals("System")) {
            if (!list.items().isEmpty()) {
                throw list.invalid("needs defaultingType: List");
            }
            return SpreadDefaults.SYSTEM;
        }
        List<TopologySpreadConstraint> constraints = new ArrayList<>();
        Set<String> places = new HashSet<>();
        for (ConfigNode item : list.items()) {
            TopologySpreadConstraint constraint = constraint(item);
            if (!places.add(constraint.topologyKey() + "/" + constraint.required())) {
                throw item.invalid("has the same topologyKey and whenUnsatisfiable as another constraint. Remove one");
            }
            constraints.add(constraint);
        }
        return SpreadDefaults.of(constraints);
    }

    private static TopologySpreadConstraint constraint(ConfigNode item) {
        item.allowKeys(KEYS);
        for (String key : List.of("labelSelector", "matchLabelKeys")) {
            if (item.get(key).isPresent()) {
                throw item.get(key).invalid("is not supported: the workloads of each pod select the pods. Remove it");
            }
        }
        ConfigNode skew = item.get("maxSkew");
        ConfigNode action = item.get("whenUnsatisfiable");
        return new TopologySpreadConstraint(
                item.get("topologyKey").requiredText(),
                Optional.empty(),
                action.oneOf(ACTIONS)
                        .orElseThrow(() -> action.invalid("must be one of " + String.join(", ", ACTIONS)))
                        .equals("DoNotSchedule"),
                skew.number(1, Integer.MAX_VALUE).orElseThrow(() -> skew.invalid("must be a whole number, at least 1")),
                item.get("minDomains").number(1, Integer.MAX_VALUE).orElse(1),
                new TopologySpreadConstraint.NodeInclusionPolicy(
                        honors(item.get("nodeAffinityPolicy"), true), honors(item.get("nodeTaintsPolicy"), false)),
                List.of());
    }

    private static boolean honors(ConfigNode policy, boolean otherwise) {
        return policy.oneOf(POLICIES).map(word -> word.equals("Honor")).orElse(otherwise);
    }
}
