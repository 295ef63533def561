package dev.berth.core.door.devices;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Computes the desired status and binding of each device and claim, and the write that it needs. */
final class DeviceStatusCalculator {
    private final DeviceInventory inventory;
    private final DeviceClaimIndex claims;
    private final DeviceUsage usage;
    private final DuplicateDevices duplicateDevices;

    DeviceStatusCalculator(
            DeviceInventory inventory, DeviceClaimIndex claims, DeviceUsage usage, DuplicateDevices duplicateDevices) {
        this.inventory = inventory;
        this.claims = claims;
        this.usage = usage;
        this.duplicateDevices = duplicateDevices;
    }

    Optional<DeviceWrite> desiredWrite(DeviceObject object) {
        return object instanceof Device device ? desiredWrite(device) : desiredWrite((DeviceClaim) object);
    }

    private Optional<DeviceWrite> desiredWrite(Device device) {
        Optional<String> unusableReason = unusableReason(device);
        Optional<DeviceUsage.DeviceUser> user =
                usage.findByDevice(device.name()).filter(DeviceUsage.DeviceUser::isBound);
        Device.DeviceBinding deviceBinding =
                user.map(it -> binding(it, device.name())).orElse(Device.DeviceBinding.NONE);
        String phase = unusableReason.isPresent()
                ? DeviceObjectStatus.PENDING
                : user.isPresent() ? DeviceObjectStatus.BOUND : DeviceObjectStatus.AVAILABLE;
        DeviceObjectStatus status = new DeviceObjectStatus(
                phase, "", unusableReason.or(() -> warningMessage(device)).orElse(""));
        return deviceBinding.equals(device.binding()) && status.equals(device.status())
                ? Optional.empty()
                : Optional.of(new DeviceWrite.UpdateDevice(device.ref(), deviceBinding, status));
    }

    private Optional<String> unusableReason(Device device) {
        return inventory
                .unusableReason(device)
                .or(() -> duplicateDevices.unusableReason(device))
                .or(() -> usage.findByDevice(device.name()).isPresent()
                        ? Optional.empty()
                        : inventory.severalNodesMessage(device));
    }

    /** The problem of a device that its pod keeps in spite of the problem. */
    private Optional<String> warningMessage(Device device) {
        return duplicateDevices.usedTwiceMessage(device).or(() -> inventory.severalNodesMessage(device));
    }

    private static Device.DeviceBinding binding(DeviceUsage.DeviceUser user, String device) {
        String claim = user.use().byClaim().entrySet().stream()
                .filter(entry -> entry.getValue().contains(device))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
        return new Device.DeviceBinding(
                user.pod().namespace(), claim, user.pod().uid().value());
    }

    private Optional<DeviceWrite> desiredWrite(DeviceClaim claim) {
        List<String> requested = claim.spec().deviceNames();
        boolean preferred = claims.findByKey(claim.key())
                .filter(it -> it.ref().uid().equals(claim.ref().uid()))
                .isPresent();
        Optional<DeviceUsage.DeviceUser> user = preferred ? usage.findByClaim(claim.key()) : Optional.empty();
        Optional<DeviceUsage.DeviceUser> bound = user.filter(DeviceUsage.DeviceUser::isBound);
        DeviceClaim.DeviceClaimAllocation deviceClaimAllocation = bound.map(it -> new DeviceClaim.DeviceClaimAllocation(
                        it.use().devicesOf(claim.ref().name()),
                        Optional.of(requested),
                        Optional.of(it.pod().name())))
                .orElseGet(() -> new DeviceClaim.DeviceClaimAllocation(requested, Optional.empty(), Optional.empty()));
        DeviceObjectStatus status =
                preferred ? status(claim, user, deviceClaimAllocation.deviceNames()) : duplicateStatus(claim);
        return deviceClaimAllocation.equals(claim.allocation()) && status.equals(claim.status())
                ? Optional.empty()
                : Optional.of(new DeviceWrite.UpdateClaim(claim.ref(), deviceClaimAllocation, status));
    }

    private DeviceObjectStatus status(DeviceClaim claim, Optional<DeviceUsage.DeviceUser> user, List<String> devices) {
        Optional<String> invalidReason = user.isEmpty() ? claim.invalidReason() : Optional.empty();
        if (invalidReason.isPresent()) {
            return new DeviceObjectStatus("", "", invalidReason.get());
        }
        Optional<String> lostReason =
                devices.stream().flatMap(name -> lostReason(name).stream()).findFirst();
        if (lostReason.isPresent()) {
            return new DeviceObjectStatus(DeviceObjectStatus.LOST, lostReason.get(), "");
        }
        return user.map(it -> it.isBound()
                        ? new DeviceObjectStatus(DeviceObjectStatus.BOUND, OriginalMessages.CLAIM_BOUND, "")
                        : new DeviceObjectStatus(DeviceObjectStatus.PENDING, OriginalMessages.CLAIM_WAITING, ""))
                .orElse(DeviceObjectStatus.NONE);
    }

    private Optional<String> lostReason(String name) {
        Optional<Device> device = inventory.findByName(name);
        return device.isEmpty()
                ? Optional.of(OriginalMessages.deviceNotFound(name))
                : unusableReason(device.get())
                        .map(unusableReason -> "ExtendedResource %s: %s".formatted(name, unusableReason));
    }

    private DeviceObjectStatus duplicateStatus(DeviceClaim claim) {
        String group = claims.findByKey(claim.key()).map(it -> it.ref().group()).orElse("");
        return new DeviceObjectStatus("", "", "Berth uses the object of the same name in the group " + group);
    }

    /** Whether the device has a problem besides a node that is down. The node itself reports that. */
    boolean isSpecProblem(Device device) {
        return device.problem().isPresent()
                || duplicateDevices.unusableReason(device).isPresent()
                || warningMessage(device).isPresent();
    }
}
