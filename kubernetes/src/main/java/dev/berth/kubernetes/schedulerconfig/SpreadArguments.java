package dev.berth.kubernetes.schedulerconfig;

import dev.berth.core.cluster.neighbour.SpreadConstraint;
import dev.berth.core.placement.profile.SpreadDefaults;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The arguments of PodTopologySpread. */
final class SpreadArguments {
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

    private SpreadArguments() {}

    static SpreadDefaults read(Setting args) {
        Setting type = args.at("defaultingType");
        String word = type.word(List.of("System", "List")).orElse("System");
        Setting list = args.at("defaultConstraints");
        if (word.equals("System")) {
            if (!list.items().isEmpty()) {
                throw list.wrong("needs defaultingType: List");
            }
            return SpreadDefaults.SYSTEM;
        }
        List<SpreadConstraint> constraints = new ArrayList<>();
        Set<String> places = new HashSet<>();
        for (Setting item : list.items()) {
            SpreadConstraint constraint = constraint(item);
            if (!places.add(constraint.topologyKey() + "/" + constraint.required())) {
                throw item.wrong("repeats topologyKey and whenUnsatisfiable of another: leave out one");
            }
            constraints.add(constraint);
        }
        return SpreadDefaults.of(constraints);
    }

    private static SpreadConstraint constraint(Setting item) {
        item.only(KEYS);
        for (String key : List.of("labelSelector", "matchLabelKeys")) {
            if (item.at(key).isThere()) {
                throw item.at(key).wrong("must be left out: each pod's workloads say which pods are spread together");
            }
        }
        Setting skew = item.at("maxSkew");
        Setting action = item.at("whenUnsatisfiable");
        return new SpreadConstraint(
                item.at("topologyKey").name(),
                Optional.empty(),
                action.word(ACTIONS)
                        .orElseThrow(() -> action.wrong("must be one of " + String.join(", ", ACTIONS)))
                        .equals("DoNotSchedule"),
                skew.number(1, Integer.MAX_VALUE).orElseThrow(() -> skew.wrong("must be a whole number from 1 on")),
                item.at("minDomains").number(1, Integer.MAX_VALUE).orElse(1),
                new SpreadConstraint.Heed(
                        honors(item.at("nodeAffinityPolicy"), true), honors(item.at("nodeTaintsPolicy"), false)),
                List.of());
    }

    private static boolean honors(Setting policy, boolean otherwise) {
        return policy.word(POLICIES).map(word -> word.equals("Honor")).orElse(otherwise);
    }
}
