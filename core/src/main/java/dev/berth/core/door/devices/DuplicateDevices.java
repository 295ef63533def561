package dev.berth.core.door.devices;

import dev.berth.core.cluster.Node;
import dev.berth.core.ledger.LedgerView;
import java.util.List;
import java.util.Optional;

/**
 * Objects that describe the same device: the same resource and device ID on the same node. One of them takes effect:
 * the one that a pod has or a hold needs, else the first by name. Pods keep the objects that they have already.
 */
final class DuplicateDevices {
    private final LedgerView ledger;
    private final DeviceInventory inventory;
    private final DeviceUserLookup usage;

    DuplicateDevices(LedgerView ledger, DeviceInventory inventory, DeviceUserLookup usage) {
        this.ledger = ledger;
        this.inventory = inventory;
        this.usage = usage;
    }

    /** The object that takes effect on the node instead of this one; empty if this one does. */
    Optional<Device> findPreferredDuplicate(Device device, Node node) {
        List<Device> others = findDuplicatesOn(node, device);
        if (others.isEmpty() || isTaken(device, node)) {
            return Optional.empty();
        }
        return others.stream()
                .filter(other -> isTaken(other, node))
                .findFirst()
                .or(() -> others.stream()
                        .filter(other -> other.name().compareTo(device.name()) < 0)
                        .findFirst());
    }

    /** Why no pod can use the object: on each of its nodes a duplicate takes effect. */
    Optional<String> unusableReason(Device device) {
        List<Optional<Device>> onNodes = inventory.findNodes(device).stream()
                .map(node -> findPreferredDuplicate(device, node))
                .toList();
        return onNodes.stream().allMatch(Optional::isPresent)
                ? onNodes.stream().flatMap(Optional::stream).findFirst().map(DuplicateDevices::duplicateMessage)
                : Optional.empty();
    }

    private static String duplicateMessage(Device preferred) {
        return "ExtendedResource %s is the same device (%s) on the same node, and Berth uses that one. Delete one of the two, or correct spec.deviceID."
                .formatted(preferred.name(), preferred.identity());
    }

    /** A message if pods have the device by this object and by a duplicate. */
    Optional<String> usedTwiceMessage(Device device) {
        if (usage.findByDevice(device.name()).isEmpty()) {
            return Optional.empty();
        }
        return inventory.findNodes(device).stream()
                .flatMap(node -> findDuplicatesOn(node, device).stream())
                .flatMap(other -> usage.findByDevice(other.name()).stream().map(user -> usedTwiceMessage(user, other)))
                .findFirst();
    }

    private static String usedTwiceMessage(DeviceUsage.DeviceUser user, Device other) {
        return "Pod %s uses the same device (%s) by ExtendedResource %s. Delete one of the two pods, then one of the two ExtendedResources."
                .formatted(user.pod(), other.identity(), other.name());
    }

    private List<Device> findDuplicatesOn(Node node, Device device) {
        return inventory.duplicatesOf(device).stream()
                .filter(other -> other.isOn(node) && other.problem().isEmpty())
                .filter(other -> !inventory.matchesSeveralNodes(other) || isTaken(other, node))
                .toList();
    }

    private boolean isTaken(Device device, Node node) {
        return usage.findByDevice(device.name()).isPresent()
                || ledger.node(node.name()).stream()
                        .flatMap(state -> state.holds().stream())
                        .flatMap(hold -> ledger.hold(hold).stream())
                        .anyMatch(hold -> hold.devices().contains(device.name()));
    }
}
