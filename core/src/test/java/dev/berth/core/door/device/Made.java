package dev.berth.core.door.device;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeTerm;
import dev.berth.core.cluster.Requirement;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Devices and claims as their authors write them, in few words. Their UIDs are their names. */
final class Made {
    static final String GROUP = "extensions.berth.dev";
    static final String GPU = "nvidia.com/gpu";

    private Made() {}

    static ObjectRef ref(String namespace, String name, String version) {
        return new ObjectRef(GROUP, namespace, name, name, version);
    }

    static NodeTerm host(String node) {
        return new NodeTerm(
                List.of(new Requirement(Node.HOSTNAME_LABEL, Requirement.Operator.IN, List.of(node))), List.of());
    }

    static Device device(String name, String node, String type) {
        return device(ref("", name, "1"), List.of(host(node)), GPU, Labels.of("type", type));
    }

    /** Devices of the same ID on different nodes are different devices. */
    static Device deviceOfId(String id, String name, String node) {
        return device(ref("", name, "1"), List.of(host(node)), GPU, id, Labels.of("type", "k80"));
    }

    static Device device(ObjectRef ref, List<NodeTerm> nodes, String resource, Labels properties) {
        return device(ref, nodes, resource, ref.name(), properties);
    }

    /** Another object that says of itself what the device of the name says, and stands for the same device. */
    static Device duplicate(String name, Device original) {
        return device(ref("", name, "1"), original.nodes(), original.resource(), original.id(), original.properties());
    }

    /** The device after its author wrote other nodes into its affinity. */
    static Device moved(Device device, String... nodes) {
        return new Device(
                device.ref(),
                Stream.of(nodes).map(Made::host).toList(),
                device.resource(),
                device.id(),
                device.properties(),
                device.link(),
                device.status(),
                device.problem());
    }

    private static Device device(ObjectRef ref, List<NodeTerm> nodes, String resource, String id, Labels properties) {
        return new Device(ref, nodes, resource, id, properties, Device.Link.NONE, ObjectStatus.NONE, Optional.empty());
    }

    static DeviceClaim claim(String name, DeviceClaim.Ask ask) {
        return new DeviceClaim(
                ref("default", name, "1"),
                ask,
                new DeviceClaim.Written(ask.names(), Optional.empty(), Optional.empty()),
                ObjectStatus.NONE,
                Optional.empty());
    }

    /** A claim on so many devices of the type. */
    static DeviceClaim claim(String name, String type, long count) {
        return claim(name, new DeviceClaim.Ask(GPU, LabelSelector.of(Labels.of("type", type)), List.of(), count));
    }

    /** A claim on the very devices, and others up to the count. */
    static DeviceClaim claimOn(String name, long count, String... devices) {
        return claim(name, new DeviceClaim.Ask(GPU, LabelSelector.EVERYTHING, List.of(devices), count));
    }
}
