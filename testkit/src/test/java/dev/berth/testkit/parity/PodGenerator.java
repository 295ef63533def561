package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Writes pods, those that are on nodes and those that are to be placed. */
final class PodGenerator {
    private static final String NOMINEE_NAMESPACE = "waiting";

    private final RandomChoices randomChoices;
    private final List<String> nodes;
    private final ContainerGenerator containers;
    private final NodeSelectionGenerator choice;
    private final InterPodConstraintGenerator neighbours;
    private final PodVolumeGenerator mounts;
    private final Set<String> nodesWithPorts = new HashSet<>();
    private int startedPods;

    PodGenerator(RandomChoices randomChoices, List<String> nodes) {
        this.randomChoices = randomChoices;
        this.nodes = nodes;
        this.containers = new ContainerGenerator(randomChoices);
        this.choice = new NodeSelectionGenerator(randomChoices, nodes);
        this.neighbours = new InterPodConstraintGenerator(randomChoices);
        this.mounts = new PodVolumeGenerator(randomChoices);
    }

    ObjectNode pendingPod(String name) {
        ObjectNode pod = pod(name, true);
        ObjectNode spec = pod.withObject("/spec");
        choice.nodeSelection(spec);
        if (randomChoices.chance(5)) {
            makeDaemonPod(pod, spec);
        }
        if (randomChoices.chance(5)) {
            spec.put("preemptionPolicy", "Never");
        }
        putStartTime(pod.putObject("status"));
        // Of a pod that names its node kube-scheduler says beside the rest what its nominated node has against it.
        if (randomChoices.chance(8) && spec.findValue("matchFields") == null) {
            pod.withObject("/status").put("nominatedNodeName", randomChoices.any(nodes));
        }
        return pod;
    }

    /**
     * A pod for which a node is being cleared. It has nothing but a size and ports: where a place is kept, neighbours do
     * not count yet.
     */
    ObjectNode nominatedPod(String name) {
        ObjectNode pod = ApiObjects.named("v1", "Pod", NOMINEE_NAMESPACE, name);
        pod.withObject("/metadata").put("creationTimestamp", "2026-01-01T00:00:00Z");
        ObjectNode spec = pod.putObject("spec").put("schedulerName", "default-scheduler");
        spec.put("priority", randomChoices.any(0, 10, 1000, 1000));
        ObjectNode container = spec.putArray("containers").addObject().put("name", "c0");
        ObjectNode requests = container.putObject("resources").putObject("requests");
        requests.put("cpu", randomChoices.any("100m", "500m", "1"))
                .put("memory", randomChoices.any("64Mi", "512Mi", "2Gi"));
        if (randomChoices.chance(20)) {
            container.putArray("ports").addObject().put("containerPort", 80).put("hostPort", 80);
        }
        pod.putObject("status").put("phase", "Pending").put("nominatedNodeName", randomChoices.any(nodes));
        return pod;
    }

    /** On some node, whether it would have been placed there or not. */
    ObjectNode boundPod(String name) {
        ObjectNode pod = pod(name, false);
        String node = randomChoices.any(nodes);
        pod.withObject("/spec").put("nodeName", node);
        // Two with one port on a node: to kube-scheduler that port is free when either goes.
        if (!nodesWithPorts.add(node)) {
            List<JsonNode> containers = new ArrayList<>(pod.path("spec").findParents("ports"));
            containers.forEach(container -> ((ObjectNode) container).remove("ports"));
        }
        status(pod);
        return pod;
    }

    /** What may change of a pod that is on a node. */
    ObjectNode changedPod(ObjectNode placed) {
        ObjectNode pod = placed.deepCopy();
        labels(pod.withObject("/metadata").putObject("labels"));
        pod.remove("status");
        status(pod);
        return pod;
    }

    /** No two at the same time: the order of two equally important pods is undefined. */
    private void putStartTime(ObjectNode status) {
        status.put(
                "startTime",
                "2026-01-01T%02d:%02d:%02dZ".formatted(startedPods / 3600, startedPods / 60 % 60, startedPods % 60));
        startedPods++;
    }

    private ObjectNode pod(String name, boolean waits) {
        ObjectNode pod = ApiObjects.named("v1", "Pod", randomChoices.any(WorkloadGenerator.NAMESPACES), name);
        ObjectNode metadata = pod.withObject("/metadata");
        metadata.put("creationTimestamp", "2026-01-01T00:00:%02dZ".formatted(randomChoices.between(0, 59)));
        labels(metadata.putObject("labels"));
        if (randomChoices.chance(40)) {
            owner(metadata.putArray("ownerReferences").addObject());
        }
        ObjectNode spec = pod.putObject("spec");
        spec.put("schedulerName", "default-scheduler");
        if (randomChoices.chance(40)) {
            spec.put("priority", randomChoices.any(-5, 0, 10, 10, 1000));
        }
        containers.containers(spec);
        neighbours.constraints(spec, waits);
        features(spec);
        mounts.mounts(spec);
        return pod;
    }

    /** As the DaemonSet controller creates them: for one node, tolerating all its problems. */
    private void makeDaemonPod(ObjectNode pod, ObjectNode spec) {
        ObjectNode owner =
                pod.withObject("/metadata").putArray("ownerReferences").addObject();
        owner.put("apiVersion", "apps/v1").put("kind", "DaemonSet").put("name", "agent");
        owner.put("uid", "owner").put("controller", true);
        ObjectNode field = spec.withObject("/affinity/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution")
                .putArray("nodeSelectorTerms")
                .addObject()
                .putArray("matchFields")
                .addObject();
        field.put("key", "metadata.name")
                .put("operator", "In")
                .putArray("values")
                .add(randomChoices.any(nodes));
        ArrayNode tolerations = spec.putArray("tolerations");
        for (String taint : List.of("not-ready", "unreachable", "disk-pressure", "unschedulable")) {
            tolerations.addObject().put("key", "node.kubernetes.io/" + taint).put("operator", "Exists");
        }
    }

    /** What not every node can do. */
    private void features(ObjectNode spec) {
        if (randomChoices.chance(3)) {
            spec.put("hostNetwork", true).put("hostUsers", randomChoices.chance(30));
        }
        if (randomChoices.chance(3)) {
            spec.put("restartPolicy", "Never");
            ObjectNode rule = ((ObjectNode) spec.path("containers").path(0))
                    .put("restartPolicy", "Never")
                    .putArray("restartPolicyRules")
                    .addObject();
            rule.put("action", randomChoices.any("Restart", "RestartAllContainers"));
            rule.putObject("exitCodes").put("operator", "In").putArray("values").add(42);
        }
    }

    private void labels(ObjectNode labels) {
        if (randomChoices.chance(90)) {
            labels.put("app", randomChoices.any(WorkloadGenerator.APPS));
        }
        if (randomChoices.chance(20)) {
            labels.put("track", "canary");
        }
    }

    private void owner(ObjectNode reference) {
        String kind = randomChoices.any("ReplicaSet", "ReplicaSet", "StatefulSet", "ReplicationController", "Job");
        reference.put("apiVersion", kind.equals("ReplicationController") ? "v1" : "apps/v1");
        reference.put("kind", kind).put("name", randomChoices.any(WorkloadGenerator.APPS));
        reference.put("uid", "owner").put("controller", randomChoices.chance(90));
    }

    private void status(ObjectNode pod) {
        ObjectNode status = pod.putObject("status");
        putStartTime(status);
        status.put(
                "phase",
                randomChoices.any("Pending", "Running", "Running", "Running", "Running", "Succeeded", "Failed"));
        if (randomChoices.chance(6)) {
            pod.withObject("/metadata").put("deletionTimestamp", "2026-01-01T00:05:00Z");
            if (randomChoices.chance(50)) {
                condition(
                        status,
                        "DisruptionTarget",
                        randomChoices.any("PreemptionByScheduler", "EvictionByEvictionAPI"));
            }
        }
        if (randomChoices.chance(8)) {
            putResizeStatus(pod, status);
        }
    }

    private void putResizeStatus(JsonNode of, ArrayNode statuses) {
        of.forEach(container -> {
            ObjectNode one =
                    statuses.addObject().put("name", container.path("name").asText());
            if (randomChoices.chance(80)) {
                containers.requests(one.putObject("resources").putObject("requests"));
            }
            if (randomChoices.chance(80)) {
                containers.requests(one.putObject("allocatedResources"));
            }
        });
    }

    /** A pod whose containers have, or were promised, something else than they ask for. */
    private void putResizeStatus(ObjectNode pod, ObjectNode status) {
        putResizeStatus(pod.path("spec").path("containers"), status.putArray("containerStatuses"));
        putResizeStatus(pod.path("spec").path("initContainers"), status.putArray("initContainerStatuses"));
        if (randomChoices.chance(30)) {
            containers.podLevel(status.putObject("resources").putObject("requests"));
            containers.podLevel(status.putObject("allocatedResources"));
        }
        if (randomChoices.chance(40)) {
            condition(status, "PodResizePending", randomChoices.any("Infeasible", "Deferred"));
        }
    }

    private static void condition(ObjectNode status, String type, String reason) {
        ObjectNode condition = status.withArray("conditions").addObject();
        condition.put("type", type).put("status", "True").put("reason", reason);
    }
}
