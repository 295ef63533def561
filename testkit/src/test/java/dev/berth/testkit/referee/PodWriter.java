package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Writes pods, those that are on nodes and those that are to be placed. */
final class PodWriter {
    private static final String NOMINEES = "waiting";

    private final Dice dice;
    private final List<String> nodes;
    private final ContainerWriter containers;
    private final NodeChoiceWriter choice;
    private final NeighbourWriter neighbours;
    private final MountWriter mounts;
    private final Set<String> portsOn = new HashSet<>();
    private int starts;

    PodWriter(Dice dice, List<String> nodes) {
        this.dice = dice;
        this.nodes = nodes;
        this.containers = new ContainerWriter(dice);
        this.choice = new NodeChoiceWriter(dice, nodes);
        this.neighbours = new NeighbourWriter(dice);
        this.mounts = new MountWriter(dice);
    }

    ObjectNode toPlace(String name) {
        ObjectNode pod = pod(name, true);
        ObjectNode spec = pod.withObject("/spec");
        choice.choice(spec);
        if (dice.chance(5)) {
            daemon(pod, spec);
        }
        if (dice.chance(5)) {
            spec.put("preemptionPolicy", "Never");
        }
        started(pod.putObject("status"));
        // Of a pod that names its node kube-scheduler says beside the rest what its nominated node has against it.
        if (dice.chance(8) && spec.findValue("matchFields") == null) {
            pod.withObject("/status").put("nominatedNodeName", dice.any(nodes));
        }
        return pod;
    }

    /**
     * A pod for which a node is being cleared. It has nothing but a size and ports: where a place is kept, neighbours do
     * not count yet.
     */
    ObjectNode nominated(String name) {
        ObjectNode pod = Objects.named("v1", "Pod", NOMINEES, name);
        pod.withObject("/metadata").put("creationTimestamp", "2026-01-01T00:00:00Z");
        ObjectNode spec = pod.putObject("spec").put("schedulerName", "default-scheduler");
        spec.put("priority", dice.any(0, 10, 1000, 1000));
        ObjectNode container = spec.putArray("containers").addObject().put("name", "c0");
        ObjectNode requests = container.putObject("resources").putObject("requests");
        requests.put("cpu", dice.any("100m", "500m", "1")).put("memory", dice.any("64Mi", "512Mi", "2Gi"));
        if (dice.chance(20)) {
            container.putArray("ports").addObject().put("containerPort", 80).put("hostPort", 80);
        }
        pod.putObject("status").put("phase", "Pending").put("nominatedNodeName", dice.any(nodes));
        return pod;
    }

    /** On some node, whether it would have been placed there or not. */
    ObjectNode placed(String name) {
        ObjectNode pod = pod(name, false);
        String node = dice.any(nodes);
        pod.withObject("/spec").put("nodeName", node);
        // Two with one port on a node: to kube-scheduler that port is free when either goes.
        if (!portsOn.add(node)) {
            List<JsonNode> containers = new ArrayList<>(pod.path("spec").findParents("ports"));
            containers.forEach(container -> ((ObjectNode) container).remove("ports"));
        }
        status(pod);
        return pod;
    }

    /** What may change of a pod that is on a node. */
    ObjectNode changed(ObjectNode placed) {
        ObjectNode pod = placed.deepCopy();
        labels(pod.withObject("/metadata").putObject("labels"));
        pod.remove("status");
        status(pod);
        return pod;
    }

    /** No two at once: which of two equally important pods goes first is nobody's rule. */
    private void started(ObjectNode status) {
        status.put("startTime", "2026-01-01T%02d:%02d:%02dZ".formatted(starts / 3600, starts / 60 % 60, starts % 60));
        starts++;
    }

    private ObjectNode pod(String name, boolean waits) {
        ObjectNode pod = Objects.named("v1", "Pod", dice.any(WorkloadWriter.NAMESPACES), name);
        ObjectNode metadata = pod.withObject("/metadata");
        metadata.put("creationTimestamp", "2026-01-01T00:00:%02dZ".formatted(dice.between(0, 59)));
        labels(metadata.putObject("labels"));
        if (dice.chance(40)) {
            owner(metadata.putArray("ownerReferences").addObject());
        }
        ObjectNode spec = pod.putObject("spec");
        spec.put("schedulerName", "default-scheduler");
        if (dice.chance(40)) {
            spec.put("priority", dice.any(-5, 0, 10, 10, 1000));
        }
        containers.containers(spec);
        neighbours.neighbours(spec, waits);
        features(spec);
        mounts.mounts(spec);
        return pod;
    }

    /** As the DaemonSet controller writes them: for one node, whatever is wrong with it. */
    private void daemon(ObjectNode pod, ObjectNode spec) {
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
                .add(dice.any(nodes));
        ArrayNode tolerations = spec.putArray("tolerations");
        for (String taint : List.of("not-ready", "unreachable", "disk-pressure", "unschedulable")) {
            tolerations.addObject().put("key", "node.kubernetes.io/" + taint).put("operator", "Exists");
        }
    }

    /** What not every node can do. */
    private void features(ObjectNode spec) {
        if (dice.chance(3)) {
            spec.put("hostNetwork", true).put("hostUsers", dice.chance(30));
        }
        if (dice.chance(3)) {
            spec.put("restartPolicy", "Never");
            ObjectNode rule = ((ObjectNode) spec.path("containers").path(0))
                    .put("restartPolicy", "Never")
                    .putArray("restartPolicyRules")
                    .addObject();
            rule.put("action", dice.any("Restart", "RestartAllContainers"));
            rule.putObject("exitCodes").put("operator", "In").putArray("values").add(42);
        }
    }

    private void labels(ObjectNode labels) {
        if (dice.chance(90)) {
            labels.put("app", dice.any(WorkloadWriter.APPS));
        }
        if (dice.chance(20)) {
            labels.put("track", "canary");
        }
    }

    private void owner(ObjectNode reference) {
        String kind = dice.any("ReplicaSet", "ReplicaSet", "StatefulSet", "ReplicationController", "Job");
        reference.put("apiVersion", kind.equals("ReplicationController") ? "v1" : "apps/v1");
        reference.put("kind", kind).put("name", dice.any(WorkloadWriter.APPS));
        reference.put("uid", "owner").put("controller", dice.chance(90));
    }

    private void status(ObjectNode pod) {
        ObjectNode status = pod.putObject("status");
        started(status);
        status.put("phase", dice.any("Pending", "Running", "Running", "Running", "Running", "Succeeded", "Failed"));
        if (dice.chance(6)) {
            pod.withObject("/metadata").put("deletionTimestamp", "2026-01-01T00:05:00Z");
            if (dice.chance(50)) {
                condition(status, "DisruptionTarget", dice.any("PreemptionByScheduler", "EvictionByEvictionAPI"));
            }
        }
        if (dice.chance(8)) {
            resized(pod, status);
        }
    }

    private void resized(JsonNode of, ArrayNode statuses) {
        of.forEach(container -> {
            ObjectNode one =
                    statuses.addObject().put("name", container.path("name").asText());
            if (dice.chance(80)) {
                containers.requests(one.putObject("resources").putObject("requests"));
            }
            if (dice.chance(80)) {
                containers.requests(one.putObject("allocatedResources"));
            }
        });
    }

    /** A pod whose containers have, or were promised, something else than they ask for. */
    private void resized(ObjectNode pod, ObjectNode status) {
        resized(pod.path("spec").path("containers"), status.putArray("containerStatuses"));
        resized(pod.path("spec").path("initContainers"), status.putArray("initContainerStatuses"));
        if (dice.chance(30)) {
            containers.podLevel(status.putObject("resources").putObject("requests"));
            containers.podLevel(status.putObject("allocatedResources"));
        }
        if (dice.chance(40)) {
            condition(status, "PodResizePending", dice.any("Infeasible", "Deferred"));
        }
    }

    private static void condition(ObjectNode status, String type, String reason) {
        ObjectNode condition = status.withArray("conditions").addObject();
        condition.put("type", type).put("status", "True").put("reason", reason);
    }
}
