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
 * The records of bound pods, and how far they are believed. Tenants can write them: a part counts only for a claim that
 * the pod names and that there is, with devices of the pod's node that are just what the claim asks for. A record of more
 * devices than a pod can have is false.
 */
final class DeviceRecords {
    /** Of a part that no claim backs, so many devices are watched, to report the part when they appear. */
    private static final int MAX_WATCHED_UNBACKED = 3;

    /** A record and the claims that its pod names, read once for each version of the pod. */
    private static final class PodRecord {
        private final Pod pod;
        private final DeviceUse recordedUse;
        private final Set<String> claimNames;
        /** Under which devices the pod is found. */
        private final Set<String> watchedDevices = new HashSet<>();

        private PodRecord(Pod pod, DeviceUse recordedUse) {
            this.pod = pod;
            this.recordedUse = recordedUse;
            boolean tooLong = recordedUse.devices().size() > DeviceClaim.MAX_PER_POD
                    || recordedUse.byClaim().size() > DeviceClaim.MAX_PER_POD;
            this.claimNames = tooLong ? Set.of() : new HashSet<>(DeviceClaim.claimNamesOf(pod));
        }

        private DeviceClaim.Key claimKey(String claim) {
            return new DeviceClaim.Key(pod.namespace(), claim);
        }

        private List<DeviceClaim.Key> claimKeys() {
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
    private final Map<DeviceClaim.Key, Set<PodUid>> byClaim = new HashMap<>();

    DeviceRecords(LedgerView ledger, DeviceInventory inventory, DeviceClaimIndex claims) {
        this.ledger = ledger;
        this.inventory = inventory;
        this.claims = claims;
    }

    boolean isEmpty() {
        return podRecords.isEmpty();
    }

    void put(Pod pod) {
        PodRecord known = podRecords.get(pod.uid());
        if (known != null && isSame(known.pod, pod)) {
            watchDevices(known);
            return;
        }
        remove(pod.uid());
        DeviceUse said = recordedUse(pod);
        if (said.isEmpty() || pod.phase().isTerminal()) {
            return;
        }
        PodRecord podRecord = new PodRecord(pod, said);
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

    @SuppressWarnings("ReferenceEquality") // To compare the pods would cost as much as to read the record.
    private static boolean isSame(Pod known, Pod pod) {
        return known == pod;
    }

    /** The claims may have changed since. */
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
        PodRecord known = podRecords.remove(uid);
        if (known != null) {
            known.watchedDevices.forEach(device -> removeFrom(byDevice, device, uid));
            known.claimKeys().forEach(key -> removeFrom(byClaim, key, uid));
        }
    }

    /** The pods to which it matters what becomes of the device. */
    Set<PodUid> findPodsNaming(String device) {
        return Collections.unmodifiableSet(byDevice.getOrDefault(device, Set.of()));
    }

    Set<PodUid> findPodsNaming(DeviceClaim.Key claim) {
        return Collections.unmodifiableSet(byClaim.getOrDefault(claim, Set.of()));
    }

    List<String> findRecordedDevices(PodUid uid) {
        return Optional.ofNullable(podRecords.get(uid))
                .map(podRecord -> podRecord.recordedUse)
                .orElse(DeviceUse.NONE)
                .devices();
    }

    /** The parts of the pod's record that are believed. */
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

    /** What the claim asks for, if that can be the devices, whatever they are. */
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
