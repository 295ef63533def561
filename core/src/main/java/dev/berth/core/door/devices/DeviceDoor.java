package dev.berth.core.door.devices;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.Door;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.framework.Handle;
import dev.berth.core.framework.NodeListener;
import dev.berth.core.framework.PodListener;
import dev.berth.core.framework.ReservePlugin;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.filter.CycleState;
import dev.berth.core.placement.filter.FilterPlugin;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.reconcile.ReportedMessages;
import dev.berth.core.time.Instants;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Named devices. A pod with claims is placed only on a node that satisfies all of them. The bind of the pod writes a
 * record of the allocated devices. The devices' objects then name the pod. They decide from then on, because tenants
 * can write the records of their pods.
 */
public final class DeviceDoor
        implements Door, PodListener<DoorHandle>, NodeListener<DoorHandle>, FilterPlugin, ReservePlugin {
    private static final Effect.RecordEvent.EventTemplate FALSE_RECORD =
            Effect.RecordEvent.EventTemplate.warning("InvalidAnnotation", "Scheduling");

    private final LedgerView ledger;
    private final DeviceInventory inventory = new DeviceInventory();
    private final DeviceClaimIndex claims = new DeviceClaimIndex();
    private final DeviceUsage usage;
    private final DeviceStatusReconciler statusReconciler;
    private final DeviceAllocator deviceAllocator;
    /**
     * Bound pods whose devices may have changed. Many devices change at once, and one record can name all of them. So
     * the devices of a pod are computed once, before they are read.
     */
    private final Set<PodUid> podsToRecompute = new TreeSet<>();
    /** Bound pods whose records have to be compared with their devices. */
    private final Set<PodUid> podsToVerify = new TreeSet<>();

    private final ReportedMessages<PodUid> reported = new ReportedMessages<>();
    private boolean devicesChanged;

    public DeviceDoor(LedgerView ledger) {
        this.ledger = ledger;
        this.usage = new DeviceUsage(ledger, inventory, claims);
        DuplicateDevices duplicateDevices = new DuplicateDevices(ledger, inventory, usage);
        this.statusReconciler = new DeviceStatusReconciler(inventory, claims, usage, duplicateDevices);
        this.deviceAllocator =
                new DeviceAllocator(ledger, inventory, claims, usage, duplicateDevices, this::recomputeUsage);
    }

    @Override
    public boolean appliesTo(Pod pod) {
        return deviceAllocator.appliesTo(pod);
    }

    @Override
    public List<Veto> filter(CycleState cycle, NodeState state, Optional<Hold> hold) {
        return deviceAllocator.filter(cycle, state, hold);
    }

    @Override
    public Optional<FilterPlugin> publish(Snapshot snapshot) {
        recomputeUsage();
        DeviceInventory devices = inventory.copy();
        DeviceUserLookup users = new DeviceUserLookup.Fixed(usage.published(), snapshot);
        return Optional.of(new DeviceAllocator(
                snapshot, devices, claims.copy(), users, new DuplicateDevices(snapshot, devices, users), () -> {}));
    }

    /** The filter while this door is disabled: a pod with claims waits, instead of being placed without its devices. */
    public static FilterPlugin disabled() {
        return new FilterPlugin() {
            @Override
            public boolean appliesTo(Pod pod) {
                return pod.annotations().has(DeviceClaim.ANNOTATION);
            }

            @Override
            public List<Veto> filter(CycleState cycle, NodeState state, Optional<Hold> hold) {
                return List.of(
                        Veto.of(Veto.Code.DEVICE_CLAIM, "the pod claims devices, and the door devices is disabled"));
            }

            @Override
            public Optional<FilterPlugin> publish(Snapshot snapshot) {
                return Optional.of(this);
            }
        };
    }

    @Override
    public Origin.DoorId id() {
        return Origin.DoorId.DEVICES;
    }

    @Override
    public void onFact(Fact.ComponentFact fact, DoorHandle handle) {
        devicesChanged = true;
        if (fact instanceof DeviceFact.DeviceUpserted upserted) {
            statusReconciler
                    .onUpsert(upserted.device(), handle)
                    .ifPresentOrElse(
                            before -> recomputeUsersOf(before, upserted.device()),
                            () -> recomputeUsersOf(upserted.device()));
        } else if (fact instanceof DeviceFact.DeviceDeleted deleted) {
            statusReconciler.onDeviceDelete(deleted.uid(), handle).ifPresent(this::recomputeUsersOf);
        } else if (fact instanceof DeviceFact.ClaimUpserted upserted) {
            onClaimUpsert(upserted.claim(), handle);
        } else if (fact instanceof DeviceFact.ClaimDeleted deleted) {
            statusReconciler
                    .onClaimDelete(deleted.uid(), handle)
                    .ifPresent(claim -> podsToRecompute.addAll(usage.findPodsNaming(claim.key())));
        } else {
            throw new IllegalStateException("unknown fact (%s)".formatted(fact));
        }
    }

    private void onClaimUpsert(DeviceClaim claim, DoorHandle handle) {
        Optional<DeviceClaim> before = statusReconciler.onUpsert(claim, handle);
        if (before.filter(it -> it.isEquivalentTo(claim)).isEmpty()) {
            before.ifPresent(it -> podsToRecompute.addAll(usage.findPodsNaming(it.key())));
            podsToRecompute.addAll(usage.findPodsNaming(claim.key()));
        }
    }

    /** Berth itself writes the status and the binding. They do not affect the records of pods. */
    private void recomputeUsersOf(Device before, Device device) {
        if (!before.isEquivalentTo(device)) {
            recomputeUsersOf(before);
            recomputeUsersOf(device);
        } else if (!before.binding().equals(device.binding())) {
            before.binding().user().ifPresent(podsToRecompute::add);
            device.binding().user().ifPresent(podsToRecompute::add);
        }
    }

    private void recomputeUsersOf(Device device) {
        podsToRecompute.addAll(usage.findPodsNaming(device.name()));
        device.binding().user().ifPresent(podsToRecompute::add);
    }

    private void recomputeUsage() {
        if (!podsToRecompute.isEmpty()) {
            List<PodUid> pods = List.copyOf(podsToRecompute);
            podsToRecompute.clear();
            pods.forEach(uid -> onUsageChanged(uid, usage.recompute(uid)));
        }
    }

    @Override
    public boolean ignoresPlainPods() {
        return usage.isEmpty();
    }

    @Override
    public void onPodUpsert(Optional<Pod> before, Pod pod, Optional<HoldId> usedHold, DoorHandle handle) {
        if (!usage.isRelevant(pod)) {
            return;
        }
        onUsageChanged(pod.uid(), usage.onUpsert(pod));
    }

    private void onUsageChanged(PodUid uid, Optional<DeviceUsage.DeviceUser> before) {
        podsToVerify.add(uid);
        Optional<DeviceUsage.DeviceUser> after = usage.findByPod(uid);
        after.filter(user -> before.filter(user::hasSameUseAs).isEmpty()).ifPresent(statusReconciler::markAllOf);
        before.filter(user -> after.filter(it -> it.use().equals(user.use())).isEmpty())
                .ifPresent(this::onDevicesFreed);
    }

    @Override
    public void onPodDelete(Pod pod, Optional<HoldId> usedHold, DoorHandle handle) {
        podsToRecompute.remove(pod.uid());
        podsToVerify.remove(pod.uid());
        reported.remove(pod.uid());
        usage.onDelete(pod.uid()).ifPresent(this::onDevicesFreed);
    }

    private void onDevicesFreed(DeviceUsage.DeviceUser user) {
        statusReconciler.markAllOf(user);
        devicesChanged = true;
    }

    @Override
    public void onNodeUpsert(Node node, DoorHandle handle) {
        onNodesChanged(inventory.put(node));
    }

    @Override
    public void onNodeDelete(Node node, DoorHandle handle) {
        onNodesChanged(inventory.remove(node));
    }

    private void onNodesChanged(Set<String> devices) {
        devices.forEach(name -> {
            statusReconciler.markDevice(name);
            podsToRecompute.addAll(usage.findPodsNaming(name));
            devicesChanged = true;
        });
    }

    @Override
    public Map<String, String> reserve(Pod pod, Placement.Placed place, Handle handle) {
        if (!deviceAllocator.appliesTo(pod)) {
            return Map.of();
        }
        NodeState state = ledger.node(place.nodeName())
                .orElseThrow(() ->
                        new IllegalStateException("pod (%s): node (%s) is not known".formatted(pod, place.nodeName())));
        DeviceAllocator.DeviceAllocation deviceAllocation =
                deviceAllocator.allocate(pod, state, place.hold().flatMap(ledger::hold));
        deviceAllocation.veto().ifPresent(veto -> {
            throw new IllegalStateException("pod (%s) was placed on node (%s), which has no devices for it: %s"
                    .formatted(pod, place.nodeName(), veto.message()));
        });
        DeviceUse use = deviceAllocation.use();
        if (use.isEmpty()) {
            return Map.of();
        }
        statusReconciler.markAllOf(usage.assume(pod, use));
        return Map.of(DeviceUse.ANNOTATION, use.annotationValue());
    }

    @Override
    public void onWriteResult(Effect.Write write, WriteResult writeResult, DoorHandle handle) {
        statusReconciler.onWriteResult((DeviceWrite) write, writeResult, handle);
    }

    @Override
    public void reconcile(DoorHandle handle) {
        inventory.refreshDownNodes(handle.now()).forEach(name -> {
            statusReconciler.markDevice(name);
            devicesChanged = true;
        });
        recomputeUsage();
        usage.removeForgotten().forEach(this::onDevicesFreed);
        statusReconciler.reconcile(handle);
        podsToVerify.forEach(uid -> reportFalseRecord(uid, handle));
        podsToVerify.clear();
        if (devicesChanged) {
            devicesChanged = false;
            handle.notifyDevicesChanged();
        }
    }

    private void reportFalseRecord(PodUid uid, DoorHandle handle) {
        List<String> devices = usage.findFalselyRecorded(uid);
        if (devices.isEmpty()) {
            return;
        }
        Optional<Pod> pod = ledger.pod(uid);
        String named = DeviceNames.joinFirst(devices);
        if (pod.isPresent() && reported.replace(uid, FALSE_RECORD.reason(), named)) {
            handle.write(new Effect.RecordEvent(
                    EventTarget.ofPod(pod.get()),
                    FALSE_RECORD,
                    "annotation %s has no effect for devices %s: the pod did not get them by a claim. Remove it."
                            .formatted(DeviceUse.ANNOTATION, named)));
        }
    }

    @Override
    public int retryingWrites() {
        return statusReconciler.retryingWrites();
    }

    @Override
    public Optional<Instant> nextWake() {
        return Instants.earliest(inventory.nodes().nextWake(), statusReconciler.nextWake());
    }
}
