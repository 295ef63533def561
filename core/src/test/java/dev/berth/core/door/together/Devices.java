package dev.berth.core.door.together;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.decision.Fact;
import dev.berth.core.door.device.Device;
import dev.berth.core.door.device.DeviceClaim;
import dev.berth.core.door.device.DeviceFact;
import dev.berth.core.door.device.DeviceWrite;
import dev.berth.core.door.device.ObjectRef;
import dev.berth.core.door.device.ObjectStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** ExtendedResources and their claims as an API server has them. Their UIDs are their names. */
final class Devices {
    private static final String GROUP = "extensions.berth.dev";
    private static final String RESOURCE = "example.com/card";

    private final Map<String, Device> devices = new TreeMap<>();
    private final Map<String, DeviceClaim> claims = new TreeMap<>();
    private int versions;

    /** A claim on any one device. */
    record Claimed(String name) {}

    /** A device of the node. */
    Fact add(String name, String node) {
        NodeTerm there = new NodeTerm(
                List.of(new Requirement(Node.HOSTNAME_LABEL, Requirement.Operator.IN, List.of(node))), List.of());
        Device device = new Device(
                ref("", name),
                List.of(there),
                RESOURCE,
                name,
                Labels.NONE,
                Device.Link.NONE,
                ObjectStatus.NONE,
                Optional.empty());
        devices.put(name, device);
        return new DeviceFact.DeviceSeen(device);
    }

    List<Fact> put(Claimed claimed) {
        DeviceClaim.Ask ask = new DeviceClaim.Ask(RESOURCE, LabelSelector.EVERYTHING, List.of(), 1);
        DeviceClaim claim = new DeviceClaim(
                ref("default", claimed.name()),
                ask,
                new DeviceClaim.Written(ask.names(), Optional.empty(), Optional.empty()),
                ObjectStatus.NONE,
                Optional.empty());
        claims.put(claimed.name(), claim);
        return List.of(new DeviceFact.ClaimSeen(claim));
    }

    List<Fact> list() {
        List<Fact> all = new ArrayList<>();
        devices.values().forEach(device -> all.add(new DeviceFact.DeviceSeen(device)));
        claims.values().forEach(claim -> all.add(new DeviceFact.ClaimSeen(claim)));
        return all;
    }

    /** Empty where the object is another by now than the write was decided on. */
    Optional<Fact> write(DeviceWrite write) {
        String name = write.ref().name();
        if (write instanceof DeviceWrite.OfDevice said) {
            Device known = Optional.ofNullable(devices.get(name)).orElseThrow();
            if (!known.ref().equals(write.ref())) {
                return Optional.empty();
            }
            Device next = new Device(
                    ref("", name),
                    known.nodes(),
                    known.resource(),
                    known.id(),
                    known.properties(),
                    said.link(),
                    said.status(),
                    known.problem());
            devices.put(name, next);
            return Optional.of(new DeviceFact.DeviceSeen(next));
        }
        DeviceWrite.OfClaim said = (DeviceWrite.OfClaim) write;
        DeviceClaim known = Optional.ofNullable(claims.get(name)).orElseThrow();
        if (!known.ref().equals(write.ref())) {
            return Optional.empty();
        }
        DeviceClaim next =
                new DeviceClaim(ref("default", name), known.ask(), said.written(), said.status(), known.problem());
        claims.put(name, next);
        return Optional.of(new DeviceFact.ClaimSeen(next));
    }

    private ObjectRef ref(String namespace, String name) {
        return new ObjectRef(GROUP, namespace, name, name, "v" + ++versions);
    }
}
