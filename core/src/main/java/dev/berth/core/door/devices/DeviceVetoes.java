package dev.berth.core.door.devices;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.placement.filter.BlockingHold;
import dev.berth.core.placement.filter.Veto;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pods and holds that have the devices which a rejected pod needs. */
final class DeviceVetoes {
    private final LedgerView ledger;
    private final DeviceUserLookup usage;

    DeviceVetoes(LedgerView ledger, DeviceUserLookup usage) {
        this.ledger = ledger;
        this.usage = usage;
    }

    /**
     * A user is named only in the veto of its own node. A device may have moved since, and no message should name a pod
     * twice.
     */
    Veto withUsers(Veto veto, Pod pod, Node node, List<Device> devices) {
        Map<PodUid, Pod> users = new LinkedHashMap<>();
        devices.stream()
                .flatMap(device -> usage.findByDevice(device.name()).stream())
                .map(DeviceUsage.DeviceUser::pod)
                .filter(user -> !user.uid().equals(pod.uid()))
                .filter(user -> ledger.nodeNameOf(user.uid())
                        .filter(node.name()::equals)
                        .isPresent())
                .forEach(user -> users.putIfAbsent(user.uid(), user));
        List<BlockingHold> blockingHolds = users.values().stream()
                .map(user -> new BlockingHold(
                        new HoldId("device-user/" + user.uid()),
                        new Origin(Origin.DoorId.DEVICES, "pod " + user),
                        0,
                        Optional.empty()))
                .toList();
        return veto.withBlockingHolds(blockingHolds);
    }

    /** The message about holds that need the devices, with their names. */
    static Veto heldByHolds(List<Device> devices, Map<String, Hold> held) {
        List<BlockingHold> blockingHolds = devices.stream()
                .flatMap(device -> Optional.ofNullable(held.get(device.name())).stream())
                .map(BlockingHold::of)
                .distinct()
                .sorted((one, other) -> one.hold().compareTo(other.hold()))
                .toList();
        return Veto.blockedBy(Veto.Code.DEVICES_HELD, blockingHolds);
    }
}
