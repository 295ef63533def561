package dev.berth.core.door.alldoors;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.door.devices.Device;
import dev.berth.core.door.devices.DeviceClaim;
import dev.berth.core.door.devices.DeviceFact;
import dev.berth.core.door.devices.DeviceObjectRef;
import dev.berth.core.door.devices.DeviceObjectStatus;
import dev.berth.core.door.devices.DeviceWrite;
import dev.berth.core.fact.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** ExtendedResources and their claims as an API server has them. Their UIDs are their names. */
final class FakeDeviceApi {
    private static final String GROUP = "extensions.berth.dev";
    private static final String RESOURCE = "example.com/card";

    private final Map<String, Device> devices = new TreeMap<>();
    private final Map<String, DeviceClaim> claims = new TreeMap<>();
    private int versions;

    /** A claim on any one device. */
    record NewClaim(String name) {}

    /** A device of the node. */
    Fact add(String name, String node) {
        NodeSelectorTerm there = new NodeSelectorTerm(
                List.of(new Requirement(Node.HOSTNAME_LABEL, Requirement.Operator.IN, List.of(node))), List.of());
        Device device = new Device(
                ref("", name),
                List.of(there),
                RESOURCE,
                name,
                Labels.NONE,
                Device.DeviceBinding.NONE,
                DeviceObjectStatus.NONE,
                Optional.empty());
        devices.put(name, device);
        return new DeviceFact.DeviceUpserted(device);
    }

    List<Fact> put(NewClaim newClaim) {
        DeviceClaim.DeviceClaimSpec deviceClaimSpec =
                new DeviceClaim.DeviceClaimSpec(RESOURCE, LabelSelector.EVERYTHING, List.of(), 1);
        DeviceClaim claim = new DeviceClaim(
                ref("default", newClaim.name()),
                deviceClaimSpec,
                new DeviceClaim.DeviceClaimAllocation(
                        deviceClaimSpec.deviceNames(), Optional.empty(), Optional.empty()),
                DeviceObjectStatus.NONE,
                Optional.empty());
        claims.put(newClaim.name(), claim);
        return List.of(new DeviceFact.ClaimUpserted(claim));
    }

    List<Fact> list() {
        List<Fact> all = new ArrayList<>();
        devices.values().forEach(device -> all.add(new DeviceFact.DeviceUpserted(device)));
        claims.values().forEach(claim -> all.add(new DeviceFact.ClaimUpserted(claim)));
        return all;
    }

    /** Empty where the object is another by now than the write was decided on. */
    Optional<Fact> write(DeviceWrite write) {
        String name = write.ref().name();
        if (write instanceof DeviceWrite.UpdateDevice said) {
            Device known = Optional.ofNullable(devices.get(name)).orElseThrow();
            if (!known.ref().equals(write.ref())) {
                return Optional.empty();
            }
            Device next = new Device(
                    ref("", name),
                    known.nodeTerms(),
                    known.resource(),
                    known.deviceId(),
                    known.properties(),
                    said.binding(),
                    said.status(),
                    known.problem());
            devices.put(name, next);
            return Optional.of(new DeviceFact.DeviceUpserted(next));
        }
        DeviceWrite.UpdateClaim said = (DeviceWrite.UpdateClaim) write;
        DeviceClaim known = Optional.ofNullable(claims.get(name)).orElseThrow();
        if (!known.ref().equals(write.ref())) {
            return Optional.empty();
        }
        DeviceClaim next =
                new DeviceClaim(ref("default", name), known.spec(), said.allocation(), said.status(), known.problem());
        claims.put(name, next);
        return Optional.of(new DeviceFact.ClaimUpserted(next));
    }

    private DeviceObjectRef ref(String namespace, String name) {
        return new DeviceObjectRef(GROUP, namespace, name, name, "v" + ++versions);
    }
}
