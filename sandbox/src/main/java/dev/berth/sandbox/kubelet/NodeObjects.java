package dev.berth.sandbox.kubelet;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.OwnerReference;
import dev.berth.sandbox.unstructured.StatusConditions;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.time.Instant;
import java.util.UUID;

/** Builds the Node, its status and its Lease. */
final class NodeObjects {
    static final String LEASE_NAMESPACE = "kube-node-lease";
    private static final int LEASE_SECONDS = 40;

    private NodeObjects() {}

    /** The Node that a kubelet registers. */
    static ObjectNode node(NodePool plan, int number, Instant now) {
        String name = plan.nodeName(number);
        ObjectNode node = NestedFields.newObject().put("apiVersion", "v1").put("kind", "Node");
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
        metadata.putObject("annotations").put(SimulatedNode.KUBELET_ANNOTATION, "true");
        ObjectNode spec = node.putObject("spec").put("podCIDR", PodIpPool.podCidr(number));
        spec.putArray("podCIDRs").add(PodIpPool.podCidr(number));
        ObjectNode status = node.putObject("status");
        plan.capacity().forEach(NestedFields.getOrCreateObject(status, "capacity")::put);
        plan.capacity().forEach(NestedFields.getOrCreateObject(status, "allocatable")::put);
        status.setAll(addressesAndInfo(name, PodIpPool.nodeIp(number), plan.kubeletVersion()));
        status.setAll(conditions(node, SimulatedNode.NodeHealth.READY, now));
        return node;
    }

    /** The addresses and the node info. */
    private static ObjectNode addressesAndInfo(String name, String address, String version) {
        ObjectNode facts = NestedFields.newObject();
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

    /** A patch of the status: the conditions with a new heartbeat, and the fields that a user-created node lacks. */
    static ObjectNode statusPatch(ObjectNode node, SimulatedNode.NodeHealth nodeHealth, NodePool plan, Instant now) {
        ObjectNode status = conditions(node, nodeHealth, now);
        int number = Math.max(0, PodIpPool.nodeNumberOf(NestedFields.text(node, "spec", "podCIDR")));
        ObjectNode facts =
                addressesAndInfo(ObjectMetaReader.name(node), PodIpPool.nodeIp(number), plan.kubeletVersion());
        plan.capacity().forEach(NestedFields.getOrCreateObject(facts, "capacity")::put);
        boolean knowsCapacity = !NestedFields.at(node, "status", "capacity").isEmpty();
        facts.set("allocatable", NestedFields.copyOf(knowsCapacity ? node.path("status") : facts, "capacity"));
        facts.properties().forEach(fact -> {
            if (NestedFields.at(node, "status", fact.getKey()).isEmpty()
                    || (fact.getKey().equals("nodeInfo")
                            && NestedFields.text(node, "status", "nodeInfo", "kubeletVersion")
                                    .isEmpty())) {
                status.set(fact.getKey(), fact.getValue());
            }
        });
        return status;
    }

    private static ObjectNode conditions(ObjectNode node, SimulatedNode.NodeHealth nodeHealth, Instant now) {
        ObjectNode status = NestedFields.newObject();
        ArrayNode list = status.putArray("conditions");
        list.add(condition(node, now, "MemoryPressure", "False", "KubeletHasSufficientMemory")
                .put("message", "kubelet has sufficient memory available"));
        list.add(condition(node, now, "DiskPressure", "False", "KubeletHasNoDiskPressure")
                .put("message", "kubelet has no disk pressure"));
        list.add(condition(node, now, "PIDPressure", "False", "KubeletHasSufficientPID")
                .put("message", "kubelet has sufficient PID available"));
        list.add(
                nodeHealth == SimulatedNode.NodeHealth.READY
                        ? condition(node, now, "Ready", "True", "KubeletReady")
                                .put("message", "kubelet is posting ready status")
                        : condition(node, now, "Ready", "False", "KubeletNotReady")
                                .put(
                                        "message",
                                        "the annotation simulate.berth.dev/ready says that the node is not ready"));
        return status;
    }

    private static ObjectNode condition(ObjectNode node, Instant now, String type, String value, String reason) {
        String time = TimestampFormat.formatTime(now);
        String since = StatusConditions.findInObject(node, type)
                .filter(before -> StatusConditions.hasStatus(before, value))
                .map(before -> NestedFields.text(before, "lastTransitionTime"))
                // A user-created node may have a Ready condition without a transition time.
                .filter(said -> !said.isEmpty())
                .orElse(time);
        return NestedFields.newObject()
                .put("type", type)
                .put("status", value)
                .put("lastHeartbeatTime", time)
                .put("lastTransitionTime", since)
                .put("reason", reason);
    }

    /** Whether the conditions are correct, apart from the heartbeats. */
    static boolean conditionsMatch(ObjectNode node, SimulatedNode.NodeHealth nodeHealth) {
        String ready = nodeHealth == SimulatedNode.NodeHealth.READY ? "True" : "False";
        return StatusConditions.findInObject(node, "Ready")
                        .filter(found -> StatusConditions.hasStatus(found, ready))
                        .isPresent()
                && StatusConditions.findInObject(node, "MemoryPressure")
                        .filter(found -> StatusConditions.hasStatus(found, "False"))
                        .isPresent()
                && NestedFields.at(node, "status", "allocatable").isObject();
    }

    /** The renewal of the node's lease, as a patch. */
    static ObjectNode leaseRenewalPatch(ObjectNode node, Instant now) {
        ObjectNode patch = NestedFields.newObject();
        patch.putObject("spec")
                .put("holderIdentity", ObjectMetaReader.name(node))
                .put("leaseDurationSeconds", LEASE_SECONDS)
                .put("renewTime", TimestampFormat.formatMicroTime(now));
        return patch;
    }

    /** The Lease of the node, which is deleted with the node. */
    static ObjectNode lease(ObjectNode node, Instant now) {
        ObjectNode lease = leaseRenewalPatch(node, now);
        lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
        ObjectNode metadata = lease.putObject("metadata");
        metadata.put("name", ObjectMetaReader.name(node)).put("namespace", LEASE_NAMESPACE);
        metadata.putArray("ownerReferences")
                .add(new OwnerReference(
                                "v1", "Node", ObjectMetaReader.name(node), ObjectMetaReader.uid(node), false, false)
                        .toJson());
        return lease;
    }
}
