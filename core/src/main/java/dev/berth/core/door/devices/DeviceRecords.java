package dev.berth.core.door.devices;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The records of bound pods, and the parts of them that take effect. Tenants can write records. So a part takes effect
 * only if its claim exists and the pod names it. The recorded devices must be on the pod's node and satisfy the claim
 * exactly. A record with more devices than a pod can have has no effect.
 */
final class DeviceRecords {
    /**
     * If no claim backs a part of a record, this many of its devices are watched, to report the part when they appear.
     */
    private static final int MAX_WATCHED_UNBACKED = 3;

    /** A record and the claims that its pod names, read once for each version of the pod. */
    private static final class PodRecord {
        private final Pod pod;
        private final DeviceUse recordedUse;
        private final Set<String> claimNames;
        /** The devices under which the pod is indexed. */
        private final Set<String> watchedDevices = new HashSet<>();

        private PodRecord(Pod pod, DeviceUse recordedUse) {
            this.pod = pod;
            this.recordedUse = recordedUse;
            boolean tooLong = recordedUse.devices().size() > DeviceClaim.MAX_PER_POD
                    || recordedUse.byClaim().size() > DeviceClaim.MAX_PER_POD;
            this.claimNames = tooLong ? Set.of() : new HashSet<>(DeviceClaim.claimNamesOf(pod));
        }

        private DeviceClaim.ClaimKey claimKey(String claim) {
            return new DeviceClaim.ClaimKey(pod.namespace(), claim);
        }

        private List<DeviceClaim.ClaimKey> claimKeys() {
            return recordedUse.byClaim().keySet().stream()
                    .filter(claimNames::contains)
                    .map(this::claimKey)
                    .toList();
        }
    }

    private final LedgerView ledger;
    private final DeviceInventory inventory;
    private final DeviceClaimIndex claims;
    private final Map<PodUid, PodRecord> podRecords = new HashMap<>();
    private final Map<String, Set<PodUid>> byDevice = new HashMap<>();
    private final Map<DeviceClaim.ClaimKey, Set<PodUid>> byClaim = new HashMap<>();

    DeviceRecords(LedgerView ledger, DeviceInventory inventory, DeviceClaimIndex claims) {
        this.ledger = ledger;
        this.inventory = inventory;
        this.claims = claims;
    }

    boolean isEmpty() {
        return podRecords.isEmpty();
    }

    void put(Pod pod) {
        PodRecord existing = podRecords.get(pod.uid());
        if (existing != null && isSame(existing.pod, pod)) {
            watchDevices(existing);
            return;
        }
        remove(pod.uid());
        DeviceUse recorded = recordedUse(pod);
        if (recorded.isEmpty() || pod.phase().isTerminal()) {
            return;
        }
        PodRecord podRecord = new PodRecord(pod, recorded);
        podRecords.put(pod.uid(), podRecord);
        podRecord
                .claimKeys()
                .forEach(key ->
                        byClaim.computeIfAbsent(key, same -> new TreeSet<>()).add(pod.uid()));
        watchDevices(podRecord);
    }

    private static DeviceUse recordedUse(Pod pod) {
        return DeviceUse.recordedIn(pod.annotations()).orElse(DeviceUse.NONE);
    }

    @SuppressWarnings("ReferenceEquality") // Comparing the pods would cost as much as reading the record.
    private static boolean isSame(Pod existing, Pod pod) {
        return existing == pod;
    }

    /** Updates the index: the claims may have changed since the last call. */
    private void watchDevices(PodRecord podRecord) {
        Set<String> watched = new HashSet<>();
        podRecord.recordedUse.byClaim().forEach((claim, devices) -> {
            boolean backed = findBackingSpec(podRecord, claim, devices).isPresent();
            devices.stream()
                    .limit(backed ? devices.size() : Math.max(0, MAX_WATCHED_UNBACKED - watched.size()))
                    .forEach(watched::add);
        });
        podRecord.watchedDevices.stream()
                .filter(device -> !watched.contains(device))
                .forEach(device -> removeFrom(byDevice, device, podRecord.pod.uid()));
        watched.stream()
                .filter(device -> !podRecord.watchedDevices.contains(device))
                .forEach(device -> byDevice.computeIfAbsent(device, name -> new TreeSet<>())
                        .add(podRecord.pod.uid()));
        podRecord.watchedDevices.clear();
        podRecord.watchedDevices.addAll(watched);
    }

    void remove(PodUid uid) {
        PodRecord existing = podRecords.remove(uid);
        if (existing != null) {
            existing.watchedDevices.forEach(device -> removeFrom(byDevice, device, uid));
            existing.claimKeys().forEach(key -> removeFrom(byClaim, key, uid));
        }
    }

    /** The pods that a change of the device may affect. */
    Set<PodUid> findPodsNaming(String device) {
        return Collections.unmodifiableSet(byDevice.getOrDefault(device, Set.of()));
    }

    Set<PodUid> findPodsNaming(DeviceClaim.ClaimKey claim) {
        return Collections.unmodifiableSet(byClaim.getOrDefault(claim, Set.of()));
    }

    List<String> findRecordedDevices(PodUid uid) {
        return Optional.ofNullable(podRecords.get(uid))
                .map(podRecord -> podRecord.recordedUse)
                .orElse(DeviceUse.NONE)
                .devices();
    }

    /** The parts of the pod's record that take effect. */
    DeviceUse trustedUse(Pod pod) {
        PodRecord podRecord = podRecords.get(pod.uid());
        Optional<NodeState> state =
                podRecord == null ? Optional.empty() : pod.nodeName().flatMap(ledger::node);
        if (podRecord == null || state.isEmpty()) {
            return DeviceUse.NONE;
        }
        SortedMap<String, List<String>> parts = new TreeMap<>();
        podRecord.recordedUse.byClaim().forEach((claim, devices) -> {
            if (findBackingSpec(podRecord, claim, devices)
                    .filter(deviceClaimSpec -> satisfy(devices, deviceClaimSpec, state.get()))
                    .isPresent()) {
                parts.put(claim, devices);
            }
        });
        return new DeviceUse(parts);
    }

    /** The spec of the claim, if so many devices with these names can satisfy it. */
    private Optional<DeviceClaim.DeviceClaimSpec> findBackingSpec(
            PodRecord podRecord, String claim, List<String> devices) {
        if (!podRecord.claimNames.contains(claim)) {
            return Optional.empty();
        }
        return claims.findByKey(podRecord.claimKey(claim))
                .filter(deviceClaim -> devices.size() == deviceClaim.spec().total())
                .filter(deviceClaim -> deviceClaim.invalidReason().isEmpty())
                .map(DeviceClaim::spec)
                .filter(deviceClaimSpec -> {
                    Set<String> distinct = new HashSet<>(devices);
                    return distinct.size() == devices.size() && distinct.containsAll(deviceClaimSpec.deviceNames());
                });
    }

    private boolean satisfy(List<String> devices, DeviceClaim.DeviceClaimSpec deviceClaimSpec, NodeState state) {
        Set<String> named = new HashSet<>(deviceClaimSpec.deviceNames());
        return devices.stream()
                .allMatch(name -> inventory
                        .findByName(name)
                        .filter(device -> device.isOn(state.node()))
                        .filter(device -> device.resource().equals(deviceClaimSpec.resource()))
                        .filter(device -> named.contains(name)
                                || deviceClaimSpec.properties().matches(device.properties()))
                        .isPresent());
    }

    private static <K> void removeFrom(Map<K, Set<PodUid>> map, K key, PodUid uid) {
        Set<PodUid> among = map.get(key);
        if (among != null && among.remove(uid) && among.isEmpty()) {
            map.remove(key);
        }
    }
}
