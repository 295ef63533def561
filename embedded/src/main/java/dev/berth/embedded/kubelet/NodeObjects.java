package dev.berth.embedded.kubelet;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Conditions;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.OwnerReference;
import dev.berth.embedded.client.object.Timestamps;
import java.time.Instant;
import java.util.UUID;

/** Composes the objects by which a kubelet makes its node known. */
final class NodeObjects {
    static final String LEASE_NAMESPACE = "kube-node-lease";
    private static final int LEASE_SECONDS = 40;

    private NodeObjects() {}

    /** The Node that a kubelet registers. */
    static ObjectNode node(NodePlan plan, int number, Instant now) {
        String name = plan.name(number);
        ObjectNode node = Json.object().put("apiVersion", "v1").put("kind", "Node");
        ObjectNode metadata = node.putObject("metadata").put("name", name);
        ObjectNode labels = metadata.putObject("labels");
        labels.put("beta.kubernetes.io/arch", "amd64").put("beta.kubernetes.io/os", "linux");
        labels.put("kubernetes.io/arch", "amd64").put("kubernetes.io/os", "linux");
        labels.put("kubernetes.io/hostname", name);
        if (!plan.zones().isEmpty()) {
            labels.put(
                    "topology.kubernetes.io/zone",
                    plan.zones().get(number % plan.zones().size()));
        }
        plan.labels().forEach(labels::put);
        metadata.putObject("annotations").put(SimulatedNode.MARK, "true");
        ObjectNode spec = node.putObject("spec").put("podCIDR", Addresses.podRange(number));
        spec.putArray("podCIDRs").add(Addresses.podRange(number));
        ObjectNode status = node.putObject("status");
        plan.capacity().forEach(Json.child(status, "capacity")::put);
        plan.capacity().forEach(Json.child(status, "allocatable")::put);
        status.setAll(facts(name, Addresses.nodeAddress(number), plan.version()));
        status.setAll(conditions(node, SimulatedNode.Mode.READY, now));
        return node;
    }

    /** Addresses and what the machine says of itself. */
    private static ObjectNode facts(String name, String address, String version) {
        ObjectNode facts = Json.object();
        ArrayNode addresses = facts.putArray("addresses");
        addresses.addObject().put("type", "InternalIP").put("address", address);
        addresses.addObject().put("type", "Hostname").put("address", name);
        facts.putObject("daemonEndpoints").putObject("kubeletEndpoint").put("Port", 10250);
        String id = UUID.nameUUIDFromBytes(name.getBytes(UTF_8)).toString();
        facts.putObject("nodeInfo")
                .put("machineID", id.replace("-", ""))
                .put("systemUUID", id)
                .put("bootID", id)
                .put("kernelVersion", "6.1.0-simulated")
                .put("osImage", "Simulated Linux")
                .put("containerRuntimeVersion", "simulated://1.0.0")
                .put("kubeletVersion", version)
                .put("kubeProxyVersion", version)
                .put("operatingSystem", "linux")
                .put("architecture", "amd64");
        return facts;
    }

    /** A patch of the status: the conditions with a fresh heartbeat, and whatever a node made by hand does not say. */
    static ObjectNode report(ObjectNode node, SimulatedNode.Mode mode, NodePlan plan, Instant now) {
        ObjectNode status = conditions(node, mode, now);
        int number = Math.max(0, Addresses.placeOf(Json.text(node, "spec", "podCIDR")));
        ObjectNode facts = facts(Meta.name(node), Addresses.nodeAddress(number), plan.version());
        plan.capacity().forEach(Json.child(facts, "capacity")::put);
        boolean knowsCapacity = !Json.at(node, "status", "capacity").isEmpty();
        facts.set("allocatable", Json.copyOf(knowsCapacity ? node.path("status") : facts, "capacity"));
        facts.properties().forEach(fact -> {
            if (Json.at(node, "status", fact.getKey()).isEmpty()
                    || (fact.getKey().equals("nodeInfo")
                            && Json.text(node, "status", "nodeInfo", "kubeletVersion")
                                    .isEmpty())) {
                status.set(fact.getKey(), fact.getValue());
            }
        });
        return status;
    }

    private static ObjectNode conditions(ObjectNode node, SimulatedNode.Mode mode, Instant now) {
        ObjectNode status = Json.object();
        ArrayNode list = status.putArray("conditions");
        list.add(condition(node, now, "MemoryPressure", "False", "KubeletHasSufficientMemory")
                .put("message", "kubelet has sufficient memory available"));
        list.add(condition(node, now, "DiskPressure", "False", "KubeletHasNoDiskPressure")
                .put("message", "kubelet has no disk pressure"));
        list.add(condition(node, now, "PIDPressure", "False", "KubeletHasSufficientPID")
                .put("message", "kubelet has sufficient PID available"));
        list.add(
                mode == SimulatedNode.Mode.READY
                        ? condition(node, now, "Ready", "True", "KubeletReady")
                                .put("message", "kubelet is posting ready status")
                        : condition(node, now, "Ready", "False", "KubeletNotReady")
                                .put("message", "the node was told not to be ready"));
        return status;
    }

    private static ObjectNode condition(ObjectNode node, Instant now, String type, String value, String reason) {
        String time = Timestamps.seconds(now);
        String since = Conditions.of(node, type)
                .filter(before -> Conditions.is(before, value))
                .map(before -> Json.text(before, "lastTransitionTime"))
                // Who made the node by hand may have said that it is ready and not since when.
                .filter(said -> !said.isEmpty())
                .orElse(time);
        return Json.object()
                .put("type", type)
                .put("status", value)
                .put("lastHeartbeatTime", time)
                .put("lastTransitionTime", since)
                .put("reason", reason);
    }

    /** Whether the conditions say what they should, heartbeats aside. */
    static boolean saysSo(ObjectNode node, SimulatedNode.Mode mode) {
        String ready = mode == SimulatedNode.Mode.READY ? "True" : "False";
        return Conditions.of(node, "Ready")
                        .filter(found -> Conditions.is(found, ready))
                        .isPresent()
                && Conditions.of(node, "MemoryPressure")
                        .filter(found -> Conditions.is(found, "False"))
                        .isPresent()
                && Json.at(node, "status", "allocatable").isObject();
    }

    /** The renewal of the node's lease, as a patch. */
    static ObjectNode renewal(ObjectNode node, Instant now) {
        ObjectNode patch = Json.object();
        patch.putObject("spec")
                .put("holderIdentity", Meta.name(node))
                .put("leaseDurationSeconds", LEASE_SECONDS)
                .put("renewTime", Timestamps.micros(now));
        return patch;
    }

    /** The node's lease, which goes when the node goes. */
    static ObjectNode lease(ObjectNode node, Instant now) {
        ObjectNode lease = renewal(node, now);
        lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
        ObjectNode metadata = lease.putObject("metadata");
        metadata.put("name", Meta.name(node)).put("namespace", LEASE_NAMESPACE);
        metadata.putArray("ownerReferences")
                .add(new OwnerReference("v1", "Node", Meta.name(node), Meta.uid(node), false, false).toJson());
        return lease;
    }
}
