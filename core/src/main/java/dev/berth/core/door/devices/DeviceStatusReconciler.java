package dev.berth.core.door.devices;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.Effect.RecordEvent;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import dev.berth.core.reconcile.ObjectController;
import dev.berth.core.reconcile.ObjectHandler;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keeps the status of devices and claims true. Changes mark names; {@link #reconcile} finds the objects that depend on
 * the marked names, and the {@link ObjectController} writes those that differ from the result of {@link
 * DeviceStatusCalculator}.
 */
final class DeviceStatusReconciler {
    /** The topic of the messages about problems of objects. */
    private static final String PROBLEM = "problem";

    private final DeviceInventory inventory;
    private final DeviceClaimIndex claims;
    private final DeviceUsage usage;
    private final DeviceStatusCalculator calculator;
    private final Set<String> dirtyDevices = new TreeSet<>();
    private final Set<DeviceClaim.ClaimKey> dirtyClaims = new TreeSet<>();
    private final ObjectController<DeviceObject.ObjectKey, DeviceObject, DeviceWrite> objects =
            new ObjectController<>(new StatusHandler());

    DeviceStatusReconciler(
            DeviceInventory inventory, DeviceClaimIndex claims, DeviceUsage usage, DuplicateDevices duplicateDevices) {
        this.inventory = inventory;
        this.claims = claims;
        this.usage = usage;
        this.calculator = new DeviceStatusCalculator(inventory, claims, usage, duplicateDevices);
    }

    /** Returns the device as it was observed before. */
    Optional<Device> onUpsert(Device device, DoorHandle handle) {
        Optional<Device> before = objects.find(device.objectKey()).map(Device.class::cast);
        before.ifPresent(this::markDuplicates);
        inventory.replace(before, device);
        objects.upsert(device.objectKey(), device, handle);
        markDevice(device.name());
        return before;
    }

    Optional<Device> onDeviceDelete(String uid, DoorHandle handle) {
        Optional<Device> deleted =
                objects.remove(DeviceObject.ObjectKey.ofDevice(uid), handle).map(Device.class::cast);
        deleted.ifPresent(device -> {
            inventory.remove(device);
            markDevice(device.name());
            markDuplicates(device);
        });
        return deleted;
    }

    /** Returns the claim as it was observed before. */
    Optional<DeviceClaim> onUpsert(DeviceClaim claim, DoorHandle handle) {
        Optional<DeviceClaim> before = objects.find(claim.objectKey()).map(DeviceClaim.class::cast);
        claims.replace(before, claim);
        objects.upsert(claim.objectKey(), claim, handle);
        markClaim(claim.key());
        return before;
    }

    Optional<DeviceClaim> onClaimDelete(String uid, DoorHandle handle) {
        Optional<DeviceClaim> deleted =
                objects.remove(DeviceObject.ObjectKey.ofClaim(uid), handle).map(DeviceClaim.class::cast);
        deleted.ifPresent(claim -> {
            claims.remove(claim);
            markClaim(claim.key());
        });
        return deleted;
    }

    void markDevice(String name) {
        dirtyDevices.add(name);
    }

    /** The object that takes effect for the device may change with this object. */
    private void markDuplicates(Device device) {
        inventory.duplicatesOf(device).forEach(other -> markDevice(other.name()));
    }

    private void markClaim(DeviceClaim.ClaimKey key) {
        dirtyClaims.add(key);
    }

    void markAllOf(DeviceUsage.DeviceUser user) {
        dirtyDevices.addAll(user.use().devices());
        user.use().byClaim().keySet().forEach(claim -> dirtyClaims.add(user.claimKey(claim)));
    }

    void onWriteResult(DeviceWrite write, WriteResult writeResult, DoorHandle handle) {
        objects.onWriteResult(write, writeResult, handle);
    }

    int retryingWrites() {
        return objects.retryingWrites();
    }

    Optional<Instant> nextWake() {
        return objects.nextWake();
    }

    void reconcile(DoorHandle handle) {
        List.copyOf(dirtyDevices).forEach(name -> inventory.findAllByName(name).forEach(this::markDuplicates));
        Set<PodUid> users = new HashSet<>();
        for (String name : dirtyDevices) {
            dirtyClaims.addAll(claims.findClaimsNaming(name));
            usage.findByDevice(name)
                    .filter(user -> users.add(user.pod().uid()))
                    .ifPresent(user -> user.use().byClaim().keySet().forEach(claim -> markClaim(user.claimKey(claim))));
            inventory.findAllByName(name).forEach(device -> objects.markDirty(device.objectKey()));
        }
        for (DeviceClaim.ClaimKey key : dirtyClaims) {
            claims.findAllByKey(key).forEach(claim -> objects.markDirty(claim.objectKey()));
        }
        dirtyDevices.clear();
        dirtyClaims.clear();
        objects.reconcile(handle);
    }

    /** Devices and claims are not holds: {@link DeviceUsage} knows which pod has them. */
    private final class StatusHandler implements ObjectHandler<DeviceObject.ObjectKey, DeviceObject, DeviceWrite> {
        @Override
        public EventTarget eventTarget(DeviceObject object) {
            DeviceObjectRef ref = object.ref();
            return new EventTarget(
                    ref.apiVersion(),
                    object.objectKey().kind().value(),
                    ref.namespace(),
                    ref.name(),
                    ref.uid(),
                    EventTarget.BERTH);
        }

        @Override
        public String observedVersion(DeviceObject object) {
            return object.ref().resourceVersion();
        }

        @Override
        public Optional<DeviceWrite> desiredWrite(DeviceObject object, Handle handle) {
            return calculator.desiredWrite(object);
        }

        @Override
        public DeviceObject.ObjectKey keyOf(DeviceWrite write) {
            String uid = write.ref().uid();
            return write instanceof DeviceWrite.UpdateDevice
                    ? DeviceObject.ObjectKey.ofDevice(uid)
                    : DeviceObject.ObjectKey.ofClaim(uid);
        }

        /** A problem is reported when the status is to contain it for the first time. */
        @Override
        public void afterWrite(DeviceObject object, Optional<DeviceWrite> sent, DoorHandle handle) {
            sent.ifPresent(write -> recordEvent(object, write.status(), handle));
        }

        private void recordEvent(DeviceObject object, DeviceObjectStatus next, DoorHandle handle) {
            boolean lost = next.phase().equals(DeviceObjectStatus.LOST);
            String message = lost ? next.reason() : next.message();
            boolean hasProblem =
                    object instanceof Device device ? calculator.isSpecProblem(device) : !message.isEmpty() || lost;
            if (!hasProblem) {
                recordRecovery(object, next, handle);
            } else if (!next.equals(object.status())
                    && objects.reported().replace(object.objectKey(), PROBLEM, message)) {
                RecordEvent.EventTemplate kind =
                        RecordEvent.EventTemplate.warning(lost ? "DeviceLost" : "NotUsable", "Reading");
                handle.write(new RecordEvent(eventTarget(object), kind, message));
            }
        }

        /** A device whose node is down cannot be used yet, and its status contains that. */
        private void recordRecovery(DeviceObject object, DeviceObjectStatus next, DoorHandle handle) {
            boolean usable = !(object instanceof Device && next.phase().equals(DeviceObjectStatus.PENDING));
            if (objects.reported().clear(object.objectKey(), PROBLEM) && usable) {
                EventTarget eventTarget = eventTarget(object);
                handle.write(new RecordEvent(
                        eventTarget,
                        RecordEvent.EventTemplate.normal("Usable", "Reading"),
                        "%s %s can be used again.".formatted(eventTarget.kind(), eventTarget.name())));
            }
        }
    }
}
