package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/** Writes KubeSchedulerConfigurations with two profiles: what they leave out, what they count more, how they score. */
final class SchedulerConfigurationGenerator {
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

    private final RandomChoices randomChoices;

    SchedulerConfigurationGenerator(RandomChoices randomChoices) {
        this.randomChoices = randomChoices;
    }

    ObjectNode configuration() {
        ObjectNode configuration = ApiObjects.JSON.createObjectNode();
        configuration.put("apiVersion", "kubescheduler.config.k8s.io/v1").put("kind", "KubeSchedulerConfiguration");
        ArrayNode profiles = configuration.putArray("profiles");
        profile(profiles.addObject().put("schedulerName", "default-scheduler"));
        profile(profiles.addObject().put("schedulerName", OTHER));
        return configuration;
    }

    private void profile(ObjectNode profile) {
        plugins(profile.putObject("plugins"));
        ArrayNode config = profile.putArray("pluginConfig");
        if (randomChoices.chance(70)) {
            fit(args(config, "NodeResourcesFit"));
        }
        if (randomChoices.chance(40)) {
            resources(args(config, "NodeResourcesBalancedAllocation").putArray("resources"), false);
        }
        if (randomChoices.chance(50)) {
            args(config, "InterPodAffinity")
                    .put("hardPodAffinityWeight", randomChoices.any(0, 1, 5, 100))
                    .put("ignorePreferredTermsOfExistingPods", randomChoices.chance(30));
        }
        if (randomChoices.chance(50)) {
            spread(args(config, "PodTopologySpread"));
        }
        if (randomChoices.chance(30)) {
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
            if (randomChoices.chance(8)) {
                disabled.addObject().put("name", name);
                scored.remove(name);
            }
        }
        weights(everywhere.putArray("enabled"), scored, 15);
        ObjectNode score = plugins.putObject("score");
        if (randomChoices.chance(15)) {
            score.putArray("disabled").addObject().put("name", "*");
            // Without any score kube-scheduler takes the first node that it finds, and looks at no other.
            ArrayNode enabled = score.putArray("enabled");
            enabled.addObject().put("name", "NodeResourcesFit").put("weight", randomChoices.between(1, 5));
            scored.remove("NodeResourcesFit");
            weights(enabled, scored, 50);
        } else {
            weights(score.putArray("enabled"), scored, 15);
            scored.stream()
                    .filter(name -> randomChoices.chance(5))
                    .forEach(name -> score.withArray("disabled").addObject().put("name", name));
        }
        ArrayNode filters = plugins.putObject("filter").putArray("disabled");
        FILTERS_NOT_NEEDED.stream()
                .filter(name -> randomChoices.chance(5))
                .forEach(name -> filters.addObject().put("name", name));
    }

    /** A plugin without a weight has weight one. */
    private void weights(ArrayNode enabled, List<String> names, int percent) {
        for (String name : names) {
            if (randomChoices.chance(percent)) {
                ObjectNode plugin = enabled.addObject().put("name", name);
                if (randomChoices.chance(80)) {
                    plugin.put("weight", randomChoices.any(0, 1, 2, 7, 100, 10_000));
                }
            }
        }
    }

    private void fit(ObjectNode args) {
        String type = randomChoices.any("LeastAllocated", "MostAllocated", "MostAllocated", "RequestedToCapacityRatio");
        ObjectNode strategy = args.putObject("scoringStrategy").put("type", type);
        if (randomChoices.chance(60)) {
            resources(strategy.putArray("resources"), true);
        }
        if (type.equals("RequestedToCapacityRatio")) {
            ArrayNode shape = strategy.putObject("requestedToCapacityRatio").putArray("shape");
            for (int at = randomChoices.between(0, 40); at <= 100; at += randomChoices.between(7, 60)) {
                shape.addObject().put("utilization", at).put("score", randomChoices.between(0, 10));
            }
        }
    }

    private void resources(ArrayNode resources, boolean weighed) {
        List<String> names = new ArrayList<>(
                List.of("cpu", "memory", "example.com/gpu", "ephemeral-storage", "hugepages-2Mi", "pods"));
        do {
            String name = randomChoices.any(names);
            names.remove(name);
            ObjectNode resource = resources.addObject().put("name", name);
            if (weighed && randomChoices.chance(70)) {
                resource.put("weight", randomChoices.any(1, 2, 3, 50, 100));
            }
        } while (!names.isEmpty() && randomChoices.chance(60));
    }

    private void spread(ObjectNode args) {
        args.put("defaultingType", "List");
        ArrayNode constraints = args.putArray("defaultConstraints");
        for (String key : List.of("topology.kubernetes.io/zone", "kubernetes.io/hostname", "disk")) {
            if (randomChoices.chance(40)) {
                ObjectNode constraint = constraints
                        .addObject()
                        .put("topologyKey", key)
                        .put("maxSkew", randomChoices.between(1, 3))
                        .put("whenUnsatisfiable", randomChoices.chance(40) ? "DoNotSchedule" : "ScheduleAnyway");
                if (randomChoices.chance(30)) {
                    constraint.put("nodeTaintsPolicy", "Honor");
                }
                if (randomChoices.chance(30)) {
                    constraint.put("nodeAffinityPolicy", "Ignore");
                }
            }
        }
    }

    private void added(ObjectNode affinity) {
        if (randomChoices.chance(50)) {
            expression(affinity.putObject("requiredDuringSchedulingIgnoredDuringExecution")
                    .putArray("nodeSelectorTerms")
                    .addObject());
        }
        if (randomChoices.chance(70)) {
            ObjectNode wish = affinity.putArray("preferredDuringSchedulingIgnoredDuringExecution")
                    .addObject();
            expression(wish.put("weight", randomChoices.any(1, 30, 100)).putObject("preference"));
        }
    }

    private void expression(ObjectNode term) {
        ObjectNode expression = term.putArray("matchExpressions").addObject().put("key", "disk");
        switch (randomChoices.between(0, 2)) {
            case 0 -> expression.put("operator", "Exists");
            case 1 -> expression.put("operator", "In").putArray("values").add(randomChoices.any("ssd", "hdd"));
            default -> expression.put("operator", "NotIn").putArray("values").add("tape");
        }
    }
}
