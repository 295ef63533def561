package dev.berth.core.door.device;

import dev.berth.core.cluster.Node;
import dev.berth.core.ledger.LedgerView;
import java.util.List;
import java.util.Optional;

/**
 * Objects that stand for the same device: the same resource and device ID on the same node. Of several, one counts: the
 * one that a pod has or a hold keeps, else the first by name. Objects that pods have already stay theirs.
 */
final class Duplicates {
    private final LedgerView ledger;
    private final Inventory inventory;
    private final Usage usage;

    Duplicates(LedgerView ledger, Inventory inventory, Usage usage) {
        this.ledger = ledger;
        this.inventory = inventory;
        this.usage = usage;
    }

    /** The object that counts on the node instead of this one; empty where this one counts. */
    Optional<Device> countingInstead(Device device, Node node) {
        List<Device> others = on(node, device);
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

    /** Why no pod can use the object: another counts instead of it on every node that it may be on. */
    Optional<String> lack(Device device) {
        List<Optional<Device>> instead = inventory.nodesOf(device).stream()
                .map(node -> countingInstead(device, node))
                .toList();
        return instead.stream().allMatch(Optional::isPresent)
                ? instead.stream().flatMap(Optional::stream).findFirst().map(Duplicates::instead)
                : Optional.empty();
    }

    private static String instead(Device counting) {
        return "ExtendedResource %s stands for the same device (%s) on its node and counts instead. Delete one of the two, or correct spec.deviceID."
                .formatted(counting.name(), counting.identity());
    }

    /** That pods have the device by this object and by another one. */
    Optional<String> usedTwice(Device device) {
        if (usage.ofDevice(device.name()).isEmpty()) {
            return Optional.empty();
        }
        return inventory.nodesOf(device).stream()
                .flatMap(node -> on(node, device).stream())
                .flatMap(other -> usage.ofDevice(other.name()).stream().map(user -> twice(user, other)))
                .findFirst();
    }

    private static String twice(Usage.User user, Device other) {
        return "Pod %s uses the same device (%s) by ExtendedResource %s. Delete one of the two pods, then one of the two ExtendedResources."
                .formatted(user.pod(), other.identity(), other.name());
    }

    private List<Device> on(Node node, Device device) {
        return inventory.duplicatesOf(device).stream()
                .filter(other -> other.isOn(node) && other.problem().isEmpty())
                .filter(other -> !inventory.isOnSeveralNodes(other) || isTaken(other, node))
                .toList();
    }

    private boolean isTaken(Device device, Node node) {
        return usage.ofDevice(device.name()).isPresent()
                || ledger.node(node.name()).stream()
                        .flatMap(state -> state.holds().stream())
                        .flatMap(hold -> ledger.hold(hold).stream())
                        .anyMatch(hold -> hold.devices().contains(device.name()));
    }
}
