package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Writes KubeSchedulerConfigurations with two profiles: what they leave out, what they count more, how they score. */
final class ConfigurationWriter {
    static final String OTHER = "other-scheduler";

    private static final List<String> SCORED = List.of(
            "TaintToleration",
            "NodeAffinity",
            "NodeResourcesFit",
            "PodTopologySpread",
            "InterPodAffinity",
            "NodeResourcesBalancedAllocation",
            "ImageLocality");
    private static final List<String> NOT_NEEDED = List.of(
            "NodeUnschedulable",
            "TaintToleration",
            "NodeAffinity",
            "PodTopologySpread",
            "InterPodAffinity",
            "DefaultPreemption",
            "NodeResourcesBalancedAllocation",
            "ImageLocality",
            "NodeDeclaredFeatures");
    private static final List<String> FILTERS_NOT_NEEDED =
            List.of("NodeUnschedulable", "TaintToleration", "PodTopologySpread", "InterPodAffinity");

    private final Dice dice;

    ConfigurationWriter(Dice dice) {
        this.dice = dice;
    }

    ObjectNode configuration() {
        ObjectNode configuration = Objects.JSON.createObjectNode();
        configuration.put("apiVersion", "kubescheduler.config.k8s.io/v1").put("kind", "KubeSchedulerConfiguration");
        ArrayNode profiles = configuration.putArray("profiles");
        profile(profiles.addObject().put("schedulerName", "default-scheduler"));
        profile(profiles.addObject().put("schedulerName", OTHER));
        return configuration;
    }

    private void profile(ObjectNode profile) {
        plugins(profile.putObject("plugins"));
        ArrayNode config = profile.putArray("pluginConfig");
        if (dice.chance(70)) {
            fit(args(config, "NodeResourcesFit"));
        }
        if (dice.chance(40)) {
            resources(args(config, "NodeResourcesBalancedAllocation").putArray("resources"), false);
        }
        if (dice.chance(50)) {
            args(config, "InterPodAffinity")
                    .put("hardPodAffinityWeight", dice.any(0, 1, 5, 100))
                    .put("ignorePreferredTermsOfExistingPods", dice.chance(30));
        }
        if (dice.chance(50)) {
            spread(args(config, "PodTopologySpread"));
        }
        if (dice.chance(30)) {
            added(args(config, "NodeAffinity").putObject("addedAffinity"));
        }
    }

    private static ObjectNode args(ArrayNode config, String plugin) {
        return config.addObject().put("name", plugin).putObject("args");
    }

    private void plugins(ObjectNode plugins) {
        ObjectNode everywhere = plugins.putObject("multiPoint");
        ArrayNode disabled = everywhere.putArray("disabled");
        List<String> scored = new ArrayList<>(SCORED);
        for (String name : NOT_NEEDED) {
            if (dice.chance(8)) {
                disabled.addObject().put("name", name);
                scored.remove(name);
            }
        }
        weights(everywhere.putArray("enabled"), scored, 15);
        ObjectNode score = plugins.putObject("score");
        if (dice.chance(15)) {
            score.putArray("disabled").addObject().put("name", "*");
            // Without any score kube-scheduler takes the first node that it finds, and looks at no other.
            ArrayNode enabled = score.putArray("enabled");
            enabled.addObject().put("name", "NodeResourcesFit").put("weight", dice.between(1, 5));
            scored.remove("NodeResourcesFit");
            weights(enabled, scored, 50);
        } else {
            weights(score.putArray("enabled"), scored, 15);
            scored.stream()
                    .filter(name -> dice.chance(5))
                    .forEach(name -> score.withArray("disabled").addObject().put("name", name));
        }
        ArrayNode filters = plugins.putObject("filter").putArray("disabled");
        FILTERS_NOT_NEEDED.stream()
                .filter(name -> dice.chance(5))
                .forEach(name -> filters.addObject().put("name", name));
    }

    /** A plugin whose weight is not said counts once. */
    private void weights(ArrayNode enabled, List<String> names, int percent) {
        for (String name : names) {
            if (dice.chance(percent)) {
                ObjectNode plugin = enabled.addObject().put("name", name);
                if (dice.chance(80)) {
                    plugin.put("weight", dice.any(0, 1, 2, 7, 100, 10_000));
                }
            }
        }
    }

    private void fit(ObjectNode args) {
        String type = dice.any("LeastAllocated", "MostAllocated", "MostAllocated", "RequestedToCapacityRatio");
        ObjectNode strategy = args.putObject("scoringStrategy").put("type", type);
        if (dice.chance(60)) {
            resources(strategy.putArray("resources"), true);
        }
        if (type.equals("RequestedToCapacityRatio")) {
            ArrayNode shape = strategy.putObject("requestedToCapacityRatio").putArray("shape");
            for (int at = dice.between(0, 40); at <= 100; at += dice.between(7, 60)) {
                shape.addObject().put("utilization", at).put("score", dice.between(0, 10));
            }
        }
    }

    private void resources(ArrayNode resources, boolean weighed) {
        List<String> names = new ArrayList<>(
                List.of("cpu", "memory", "example.com/gpu", "ephemeral-storage", "hugepages-2Mi", "pods"));
        do {
            String name = dice.any(names);
            names.remove(name);
            ObjectNode resource = resources.addObject().put("name", name);
            if (weighed && dice.chance(70)) {
                resource.put("weight", dice.any(1, 2, 3, 50, 100));
            }
        } while (!names.isEmpty() && dice.chance(60));
    }

    private void spread(ObjectNode args) {
        args.put("defaultingType", "List");
        ArrayNode constraints = args.putArray("defaultConstraints");
        for (String key : List.of("topology.kubernetes.io/zone", "kubernetes.io/hostname", "disk")) {
            if (dice.chance(40)) {
                ObjectNode constraint = constraints
                        .addObject()
                        .put("topologyKey", key)
                        .put("maxSkew", dice.between(1, 3))
                        .put("whenUnsatisfiable", dice.chance(40) ? "DoNotSchedule" : "ScheduleAnyway");
                if (dice.chance(30)) {
                    constraint.put("nodeTaintsPolicy", "Honor");
                }
                if (dice.chance(30)) {
                    constraint.put("nodeAffinityPolicy", "Ignore");
                }
            }
        }
    }

    private void added(ObjectNode affinity) {
        if (dice.chance(50)) {
            expression(affinity.putObject("requiredDuringSchedulingIgnoredDuringExecution")
                    .putArray("nodeSelectorTerms")
                    .addObject());
        }
        if (dice.chance(70)) {
            ObjectNode wish = affinity.putArray("preferredDuringSchedulingIgnoredDuringExecution")
                    .addObject();
            expression(wish.put("weight", dice.any(1, 30, 100)).putObject("preference"));
        }
    }

    private void expression(ObjectNode term) {
        ObjectNode expression = term.putArray("matchExpressions").addObject().put("key", "disk");
        switch (dice.between(0, 2)) {
            case 0 -> expression.put("operator", "Exists");
            case 1 -> expression.put("operator", "In").putArray("values").add(dice.any("ssd", "hdd"));
            default -> expression.put("operator", "NotIn").putArray("values").add("tape");
        }
    }
}
