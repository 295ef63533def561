package dev.berth.core.door.devices;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.CycleState;
import dev.berth.core.placement.filter.FilterPlugin;
import dev.berth.core.placement.filter.Veto;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Decides which devices of a node a pod gets for all its claims together, or why it gets none. */
final class DeviceAllocator implements FilterPlugin {
    private final LedgerView ledger;
    private final DeviceInventory inventory;
    private final DeviceClaimIndex claims;
    private final DeviceUserLookup usage;
    private final DuplicateDevices duplicateDevices;
    private final DeviceVetoes deviceVetoes;
    private final Runnable refreshUsage;
    /** Placement filters one pod against many nodes in a row. */
    private Optional<PodDeviceRequest> lastRequest = Optional.empty();
    /** The claims of that pod that exist and that a different pod may have, as of {@link #usageVersion}. */
    private List<DeviceClaim.ClaimKey> contestedClaims = List.of();

    private long usageVersion;

    DeviceAllocator(
            LedgerView ledger,
            DeviceInventory inventory,
            DeviceClaimIndex claims,
            DeviceUserLookup usage,
            DuplicateDevices duplicateDevices,
            Runnable refreshUsage) {
        this.ledger = ledger;
        this.inventory = inventory;
        this.claims = claims;
        this.usage = usage;
        this.duplicateDevices = duplicateDevices;
        this.deviceVetoes = new DeviceVetoes(ledger, usage);
        this.refreshUsage = refreshUsage;
    }

    /**
     * The allocation of the pod, or the veto.
     *
     * @param wouldHelp matches devices that could lift the veto if they were free
     */
    record DeviceAllocation(DeviceUse use, Optional<Veto> veto, Predicate<Device> wouldHelp) {
        private static DeviceAllocation refused(Veto veto) {
            return new DeviceAllocation(DeviceUse.NONE, Optional.of(veto), device -> false);
        }

        private static DeviceAllocation refused(String about, Predicate<Device> wouldHelp) {
            return new DeviceAllocation(DeviceUse.NONE, Optional.of(Veto.of(Veto.Code.DEVICES, about)), wouldHelp);
        }
    }

    /** The devices of one node, as one pod can use them. */
    private record NodeDevices(List<Device> present, List<Device> available, Map<String, Hold> heldByOthers) {}

    @Override
    public boolean appliesTo(Pod pod) {
        return pod.annotations().has(DeviceClaim.ANNOTATION);
    }

    @Override
    public List<Veto> filter(CycleState cycle, NodeState state, Optional<Hold> own) {
        return allocate(cycle.pod(), state, own).veto().map(List::of).orElse(List.of());
    }

    DeviceAllocation allocate(Pod pod, NodeState state, Optional<Hold> own) {
        refreshUsage.run();
        PodDeviceRequest request = request(pod);
        Optional<String> unresolvableReason = claimInUseMessage(pod).or(request::unresolvableReason);
        if (unresolvableReason.isPresent()) {
            return DeviceAllocation.refused(Veto.of(Veto.Code.DEVICE_CLAIM, unresolvableReason.get()));
        }
        NodeDevices nodeDevices = nodeDevices(pod, state, own);
        DeviceAllocation deviceAllocation = tryAllocate(request, nodeDevices.present, nodeDevices.available);
        if (deviceAllocation.veto.isEmpty()) {
            return deviceAllocation;
        }
        List<Device> accepted = nodeDevices.present.stream()
                .filter(request::matches)
                .filter(device -> inventory.isUsableOn(device, state.node()))
                .toList();
        if (wouldFitWithoutHolds(request, nodeDevices, accepted)) {
            return DeviceAllocation.refused(DeviceVetoes.heldByHolds(accepted, nodeDevices.heldByOthers));
        }
        List<Device> helpful =
                accepted.stream().filter(deviceAllocation.wouldHelp).toList();
        return DeviceAllocation.refused(
                deviceVetoes.withUsers(deviceAllocation.veto.get(), pod, state.node(), helpful));
    }

    private static boolean wouldFitWithoutHolds(
            PodDeviceRequest request, NodeDevices nodeDevices, List<Device> accepted) {
        Set<String> free = names(accepted);
        free.retainAll(nodeDevices.heldByOthers.keySet());
        if (free.isEmpty()) {
            return false;
        }
        free.addAll(names(nodeDevices.available));
        List<Device> withKept = nodeDevices.present.stream()
                .filter(device -> free.contains(device.name()))
                .toList();
        return tryAllocate(request, nodeDevices.present, withKept).veto.isEmpty();
    }

    private PodDeviceRequest request(Pod pod) {
        Optional<PodDeviceRequest> existing = lastRequest.filter(it -> it.isCurrentFor(pod, claims));
        PodDeviceRequest request = existing.orElseGet(() -> new PodDeviceRequest(pod, claims));
        if (existing.isEmpty() || usageVersion != usage.version()) {
            lastRequest = Optional.of(request);
            // A pod keeps its devices when its claim is deleted. A second pod that names the claim then waits for the
            // claim, not for the first pod.
            contestedClaims = request.claimKeys().stream()
                    .filter(usage::mayBeInUse)
                    .filter(key -> claims.findByKey(key).isPresent())
                    .toList();
            usageVersion = usage.version();
        }
        return request;
    }

    private static Set<String> names(List<Device> devices) {
        return devices.stream().map(Device::name).collect(Collectors.toCollection(HashSet::new));
    }

    /** A message if a different pod has one of the claims. */
    private Optional<String> claimInUseMessage(Pod pod) {
        for (DeviceClaim.ClaimKey key : contestedClaims) {
            Optional<DeviceUsage.DeviceUser> other =
                    usage.findByClaim(key).filter(user -> !user.pod().uid().equals(pod.uid()));
            if (other.isPresent()) {
                return Optional.of("ExtendedResourceClaim %s is bound to pod %s"
                        .formatted(key.name(), other.get().pod().name()));
            }
        }
        return Optional.empty();
    }

    private NodeDevices nodeDevices(Pod pod, NodeState state, Optional<Hold> own) {
        List<Device> present = inventory.findOn(state.node());
        Map<String, Hold> held = present.isEmpty() ? Map.of() : findHeldByOthers(state, own);
        List<Device> available = present.stream()
                .filter(device -> inventory.isUsableOn(device, state.node()))
                .filter(device -> usage.findByDevice(device.name())
                        .filter(user -> !user.pod().uid().equals(pod.uid()))
                        .isEmpty())
                .filter(device -> !held.containsKey(device.name()))
                .filter(device -> duplicateDevices
                        .findPreferredDuplicate(device, state.node())
                        .isEmpty())
                .toList();
        return new NodeDevices(present, available, held);
    }

    /** The devices of the node that holds need, except for the pod's own hold. */
    private Map<String, Hold> findHeldByOthers(NodeState state, Optional<Hold> own) {
        Map<String, Hold> held = new HashMap<>();
        Optional<HoldId> drawnOn = own.flatMap(hold -> ledger.holdState(hold.id()))
                .flatMap(hold -> hold.draws().source());
        for (HoldId id : state.holds()) {
            boolean others = own.filter(hold -> hold.id().equals(id)).isEmpty() && !drawnOn.equals(Optional.of(id));
            if (others) {
                ledger.hold(id).ifPresent(hold -> hold.devices().forEach(device -> held.put(device, hold)));
            }
        }
        return held;
    }

    private static DeviceAllocation tryAllocate(
            PodDeviceRequest request, List<Device> present, List<Device> available) {
        Optional<String> missing = request.missingMessage(present);
        if (missing.isPresent()) {
            return DeviceAllocation.refused(missing.get(), device -> false);
        }
        Map<String, Device> free = new LinkedHashMap<>();
        available.forEach(device -> free.put(device.name(), device));
        if (!free.keySet().containsAll(request.deviceNames())) {
            return DeviceAllocation.refused(
                    OriginalMessages.UNAVAILABLE,
                    device -> request.deviceNames().contains(device.name()));
        }
        if (request.total() > free.size()) {
            return DeviceAllocation.refused(OriginalMessages.TOO_FEW, request::matches);
        }
        Map<PodDeviceRequest.DeviceSelector, List<String>> bySelector = new HashMap<>();
        request.countBySelector()
                .keySet()
                .forEach(deviceSelector -> bySelector.put(
                        deviceSelector,
                        available.stream()
                                .filter(deviceSelector::matches)
                                .map(Device::name)
                                .toList()));
        for (DeviceClaim claim : request.claims()) {
            if (!satisfies(claim.spec(), free, bySelector)) {
                return DeviceAllocation.refused(
                        OriginalMessages.notForClaim(claim.ref().name()),
                        device -> PodDeviceRequest.matches(claim.spec(), device));
            }
        }
        return allocateTogether(request, bySelector)
                .map(use -> new DeviceAllocation(use, Optional.empty(), device -> false))
                .orElseGet(() -> DeviceAllocation.refused(
                        OriginalMessages.NOT_TOGETHER,
                        device -> !request.namesDeviceTwice() && request.matches(device)));
    }

    /** Whether the devices satisfy this claim alone. */
    private static boolean satisfies(
            DeviceClaim.DeviceClaimSpec deviceClaimSpec,
            Map<String, Device> free,
            Map<PodDeviceRequest.DeviceSelector, List<String>> bySelector) {
        PodDeviceRequest.DeviceSelector deviceSelector = PodDeviceRequest.DeviceSelector.of(deviceClaimSpec);
        int spare = bySelector.getOrDefault(deviceSelector, List.of()).size();
        for (String name : deviceClaimSpec.deviceNames()) {
            Device device = free.get(name);
            if (device == null || !device.resource().equals(deviceClaimSpec.resource())) {
                return false;
            }
            spare -= deviceSelector.matches(device) ? 1 : 0;
        }
        return PodDeviceRequest.unnamedCount(deviceClaimSpec) <= spare;
    }

    /** Devices that claims name go to those claims. The other devices are assigned to selectors, and then to claims. */
    private static Optional<DeviceUse> allocateTogether(
            PodDeviceRequest request, Map<PodDeviceRequest.DeviceSelector, List<String>> bySelector) {
        if (request.namesDeviceTwice()) {
            return Optional.empty();
        }
        List<PodDeviceRequest.DeviceSelector> deviceSelectors =
                List.copyOf(request.countBySelector().keySet());
        List<BipartiteMatching.Demand> demands = new ArrayList<>();
        request.countBySelector()
                .forEach((deviceSelector, count) -> demands.add(new BipartiteMatching.Demand(
                        bySelector.getOrDefault(deviceSelector, List.of()).stream()
                                .filter(name -> !request.deviceNames().contains(name))
                                .toList(),
                        count)));
        return BipartiteMatching.solve(demands).map(assignment -> {
            Map<PodDeviceRequest.DeviceSelector, Iterator<String>> byKind = new HashMap<>();
            for (int i = 0; i < deviceSelectors.size(); i++) {
                byKind.put(deviceSelectors.get(i), assignment.get(i).iterator());
            }
            return distribute(request.claims(), byKind);
        });
    }

    private static DeviceUse distribute(
            List<DeviceClaim> claims, Map<PodDeviceRequest.DeviceSelector, Iterator<String>> byKind) {
        TreeMap<String, List<String>> byClaim = new TreeMap<>();
        for (DeviceClaim claim : claims) {
            List<String> devices = new ArrayList<>(claim.spec().deviceNames());
            Iterator<String> others =
                    byKind.getOrDefault(PodDeviceRequest.DeviceSelector.of(claim.spec()), Collections.emptyIterator());
            while (devices.size() < claim.spec().total()) {
                devices.add(others.next());
            }
            Collections.sort(devices);
            byClaim.put(claim.ref().name(), devices);
        }
        return new DeviceUse(byClaim);
    }
}
