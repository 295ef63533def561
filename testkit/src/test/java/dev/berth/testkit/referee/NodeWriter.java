package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Writes nodes. */
final class NodeWriter {
    static final List<String> IMAGES =
            List.of("web:1", "docker.io/library/db", "registry:5000/tool", "registry:5000/tool:v2", "big@sha256:0123");
    private static final List<String> FEATURES =
            List.of("RestartAllContainersOnContainerExits", "UserNamespacesHostNetworkSupport");
    private static final List<Long> SIZES =
            List.of(20_000_000L, 209_715_200L, 209_715_200L, 943_718_400L, 3_145_728_000L);

    private final Dice dice;

    NodeWriter(Dice dice) {
        this.dice = dice;
    }

    ObjectNode node(String name) {
        ObjectNode node = Objects.named("v1", "Node", "", name);
        labels(node.withObject("/metadata").putObject("labels"), name);
        ObjectNode spec = node.putObject("spec");
        if (dice.chance(6)) {
            spec.put("unschedulable", true);
        }
        taints(spec.putArray("taints"), spec.has("unschedulable") && dice.chance(50));
        ObjectNode status = node.putObject("status");
        allocatable(status.putObject("allocatable"));
        images(status.putArray("images"));
        ArrayNode features = status.putArray("declaredFeatures");
        FEATURES.stream().filter(feature -> dice.chance(60)).forEach(features::add);
        return node;
    }

    private void labels(ObjectNode labels, String name) {
        if (dice.chance(90)) {
            labels.put("kubernetes.io/hostname", dice.chance(95) ? name : "n0");
        }
        if (dice.chance(85)) {
            String zone = dice.any("a", "b", "c");
            labels.put("topology.kubernetes.io/zone", zone);
            SuccessionWriter.ZONES.stream()
                    .filter(key -> dice.chance(60))
                    .forEach(key -> labels.put(key, dice.chance(90) ? zone : "c"));
        }
        if (dice.chance(50)) {
            labels.put("topology.kubernetes.io/region", dice.any("north", "south"));
        }
        labels.put("disk", dice.any("ssd", "hdd"));
        if (dice.chance(60)) {
            labels.put("age", dice.any("1", "2", "3", "young"));
        }
    }

    private void taints(ArrayNode taints, boolean unschedulable) {
        if (unschedulable) {
            taint(taints, "node.kubernetes.io/unschedulable", "", "NoSchedule");
        }
        if (dice.chance(10)) {
            taint(taints, "dedicated", dice.any("db", "web"), "NoSchedule");
        }
        if (dice.chance(6)) {
            taint(taints, "maintenance", "", "NoExecute");
        }
        if (dice.chance(15)) {
            taint(taints, "noisy", dice.any("yes", "very"), "PreferNoSchedule");
        }
        if (dice.chance(15)) {
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
        allocatable.put("cpu", dice.any("2", "4", "4", "4", "3920m", "8", "0"));
        allocatable.put("memory", dice.any("4Gi", "8Gi", "8Gi", "8Gi", "7700Mi", "8000000k", "32Gi", "0"));
        allocatable.put("pods", dice.any("2", "5", "110", "110", "110"));
        if (dice.chance(50)) {
            allocatable.put("ephemeral-storage", dice.any("1Gi", "10G"));
        }
        if (dice.chance(40)) {
            allocatable.put("example.com/gpu", dice.any("0", "1", "4"));
        }
        if (dice.chance(20)) {
            allocatable.put("hugepages-2Mi", dice.any("64Mi", "1Gi"));
        }
    }

    private void images(ArrayNode images) {
        // One name means one size: kube-scheduler takes that of whichever node it saw first.
        for (int i = 0; i < IMAGES.size(); i++) {
            if (dice.chance(35)) {
                ObjectNode image = images.addObject();
                ArrayNode names = image.putArray("names");
                String name = IMAGES.get(i);
                names.add(name.lastIndexOf(':') > name.lastIndexOf('/') ? name : name + ":latest");
                if (dice.chance(30)) {
                    names.add(name + "@sha256:4567");
                }
                image.put("sizeBytes", SIZES.get(i));
            }
        }
    }
}
