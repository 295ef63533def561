package dev.berth.core.door.devices;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Requirement;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Devices and claims as their authors write them, in few words. Their UIDs are their names. */
final class DeviceFixtures {
    static final String GROUP = "extensions.berth.dev";
    static final String GPU = "nvidia.com/gpu";

    private DeviceFixtures() {}

    static DeviceObjectRef ref(String namespace, String name, String version) {
        return new DeviceObjectRef(GROUP, namespace, name, name, version);
    }

    static NodeSelectorTerm host(String node) {
        return new NodeSelectorTerm(
                List.of(new Requirement(Node.HOSTNAME_LABEL, Requirement.Operator.IN, List.of(node))), List.of());
    }

    static Device device(String name, String node, String type) {
        return device(ref("", name, "1"), List.of(host(node)), GPU, Labels.of("type", type));
    }

    /** Devices of the same ID on different nodes are different devices. */
    static Device deviceOfId(String id, String name, String node) {
        return device(ref("", name, "1"), List.of(host(node)), GPU, id, Labels.of("type", "k80"));
    }

    static Device device(DeviceObjectRef ref, List<NodeSelectorTerm> nodes, String resource, Labels properties) {
        return device(ref, nodes, resource, ref.name(), properties);
    }

    /** Another object that says of itself what the device of the name says, and stands for the same device. */
    static Device duplicate(String name, Device original) {
        return device(
                ref("", name, "1"),
                original.nodeTerms(),
                original.resource(),
                original.deviceId(),
                original.properties());
    }

    /** The device after its author wrote other nodes into its affinity. */
    static Device moved(Device device, String... nodes) {
        return new Device(
                device.ref(),
                Stream.of(nodes).map(DeviceFixtures::host).toList(),
                device.resource(),
                device.deviceId(),
                device.properties(),
                device.binding(),
                device.status(),
                device.problem());
    }

    private static Device device(
            DeviceObjectRef ref, List<NodeSelectorTerm> nodes, String resource, String id, Labels properties) {
        return new Device(
                ref,
                nodes,
                resource,
                id,
                properties,
                Device.DeviceBinding.NONE,
                DeviceObjectStatus.NONE,
                Optional.empty());
    }

    static DeviceClaim claim(String name, DeviceClaim.DeviceClaimSpec deviceClaimSpec) {
        return new DeviceClaim(
                ref("default", name, "1"),
                deviceClaimSpec,
                new DeviceClaim.DeviceClaimAllocation(
                        deviceClaimSpec.deviceNames(), Optional.empty(), Optional.empty()),
                DeviceObjectStatus.NONE,
                Optional.empty());
    }

    /** A claim on so many devices of the type. */
    static DeviceClaim claim(String name, String type, long count) {
        return claim(
                name,
                new DeviceClaim.DeviceClaimSpec(GPU, LabelSelector.of(Labels.of("type", type)), List.of(), count));
    }

    /** A claim on the very devices, and others up to the count. */
    static DeviceClaim claimOn(String name, long count, String... devices) {
        return claim(name, new DeviceClaim.DeviceClaimSpec(GPU, LabelSelector.EVERYTHING, List.of(devices), count));
    }
}
