package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Writes nodes. */
final class NodeGenerator {
    static final List<String> IMAGES =
            List.of("web:1", "docker.io/library/db", "registry:5000/tool", "registry:5000/tool:v2", "big@sha256:0123");
    private static final List<String> FEATURES =
            List.of("RestartAllContainersOnContainerExits", "UserNamespacesHostNetworkSupport");
    private static final List<Long> SIZES =
            List.of(20_000_000L, 209_715_200L, 209_715_200L, 943_718_400L, 3_145_728_000L);

    private final RandomChoices randomChoices;

    NodeGenerator(RandomChoices randomChoices) {
        this.randomChoices = randomChoices;
    }

    ObjectNode node(String name) {
        ObjectNode node = ApiObjects.named("v1", "Node", "", name);
        labels(node.withObject("/metadata").putObject("labels"), name);
        ObjectNode spec = node.putObject("spec");
        if (randomChoices.chance(6)) {
            spec.put("unschedulable", true);
        }
        taints(spec.putArray("taints"), spec.has("unschedulable") && randomChoices.chance(50));
        ObjectNode status = node.putObject("status");
        allocatable(status.putObject("allocatable"));
        images(status.putArray("images"));
        ArrayNode features = status.putArray("declaredFeatures");
        FEATURES.stream().filter(feature -> randomChoices.chance(60)).forEach(features::add);
        return node;
    }

    private void labels(ObjectNode labels, String name) {
        if (randomChoices.chance(90)) {
            labels.put("kubernetes.io/hostname", randomChoices.chance(95) ? name : "n0");
        }
        if (randomChoices.chance(85)) {
            String zone = randomChoices.any("a", "b", "c");
            labels.put("topology.kubernetes.io/zone", zone);
            CsiMigrationGenerator.ZONES.stream()
                    .filter(key -> randomChoices.chance(60))
                    .forEach(key -> labels.put(key, randomChoices.chance(90) ? zone : "c"));
        }
        if (randomChoices.chance(50)) {
            labels.put("topology.kubernetes.io/region", randomChoices.any("north", "south"));
        }
        labels.put("disk", randomChoices.any("ssd", "hdd"));
        if (randomChoices.chance(60)) {
            labels.put("age", randomChoices.any("1", "2", "3", "young"));
        }
    }

    private void taints(ArrayNode taints, boolean unschedulable) {
        if (unschedulable) {
            taint(taints, "node.kubernetes.io/unschedulable", "", "NoSchedule");
        }
        if (randomChoices.chance(10)) {
            taint(taints, "dedicated", randomChoices.any("db", "web"), "NoSchedule");
        }
        if (randomChoices.chance(6)) {
            taint(taints, "maintenance", "", "NoExecute");
        }
        if (randomChoices.chance(15)) {
            taint(taints, "noisy", randomChoices.any("yes", "very"), "PreferNoSchedule");
        }
        if (randomChoices.chance(15)) {
            taint(taints, "old", "", "PreferNoSchedule");
        }
    }

    private static void taint(ArrayNode taints, String key, String value, String effect) {
        ObjectNode taint = taints.addObject().put("key", key).put("effect", effect);
        if (!value.isEmpty()) {
            taint.put("value", value);
        }
    }

    private void allocatable(ObjectNode allocatable) {
        allocatable.put("cpu", randomChoices.any("2", "4", "4", "4", "3920m", "8", "0"));
        allocatable.put("memory", randomChoices.any("4Gi", "8Gi", "8Gi", "8Gi", "7700Mi", "8000000k", "32Gi", "0"));
        allocatable.put("pods", randomChoices.any("2", "5", "110", "110", "110"));
        if (randomChoices.chance(50)) {
            allocatable.put("ephemeral-storage", randomChoices.any("1Gi", "10G"));
        }
        if (randomChoices.chance(40)) {
            allocatable.put("example.com/gpu", randomChoices.any("0", "1", "4"));
        }
        if (randomChoices.chance(20)) {
            allocatable.put("hugepages-2Mi", randomChoices.any("64Mi", "1Gi"));
        }
    }

    private void images(ArrayNode images) {
        // One image name has one size: kube-scheduler uses the size of the node that it read first.
        for (int i = 0; i < IMAGES.size(); i++) {
            if (randomChoices.chance(35)) {
                ObjectNode image = images.addObject();
                ArrayNode names = image.putArray("names");
                String name = IMAGES.get(i);
                names.add(name.lastIndexOf(':') > name.lastIndexOf('/') ? name : name + ":latest");
                if (randomChoices.chance(30)) {
                    names.add(name + "@sha256:4567");
                }
                image.put("sizeBytes", SIZES.get(i));
            }
        }
    }
}
