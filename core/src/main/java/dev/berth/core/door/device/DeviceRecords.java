package dev.berth.core.door.device;

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
    private static final int WATCHED = 3;

    /** A record and the claims that its pod names, read once for each version of the pod. */
    private static final class Entry {
        private final Pod pod;
        private final DeviceUse said;
        private final Set<String> named;
        /** Under which devices the pod is found. */
        private final Set<String> watched = new HashSet<>();

        private Entry(Pod pod, DeviceUse said) {
            this.pod = pod;
            this.said = said;
            boolean tooLong =
                    said.devices().size() > DeviceClaim.MOST || said.byClaim().size() > DeviceClaim.MOST;
            this.named = tooLong ? Set.of() : new HashSet<>(DeviceClaim.namedBy(pod));
        }

        private DeviceClaim.Key key(String claim) {
            return new DeviceClaim.Key(pod.namespace(), claim);
        }

        private List<DeviceClaim.Key> keys() {
            return said.byClaim().keySet().stream()
                    .filter(named::contains)
                    .map(this::key)
                    .toList();
        }
    }

    private final LedgerView ledger;
    private final Inventory inventory;
    private final ClaimFile claims;
    private final Map<PodUid, Entry> entries = new HashMap<>();
    private final Map<String, Set<PodUid>> byDevice = new HashMap<>();
    private final Map<DeviceClaim.Key, Set<PodUid>> byClaim = new HashMap<>();

    DeviceRecords(LedgerView ledger, Inventory inventory, ClaimFile claims) {
        this.ledger = ledger;
        this.inventory = inventory;
        this.claims = claims;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    void put(Pod pod) {
        Entry known = entries.get(pod.uid());
        if (known != null && isSame(known.pod, pod)) {
            watch(known);
            return;
        }
        remove(pod.uid());
        DeviceUse said = said(pod);
        if (said.isEmpty() || pod.phase().terminal()) {
            return;
        }
        Entry entry = new Entry(pod, said);
        entries.put(pod.uid(), entry);
        entry.keys()
                .forEach(key ->
                        byClaim.computeIfAbsent(key, same -> new TreeSet<>()).add(pod.uid()));
        watch(entry);
    }

    private static DeviceUse said(Pod pod) {
        return DeviceUse.recordedIn(pod.annotations()).orElse(DeviceUse.NONE);
    }

    @SuppressWarnings("ReferenceEquality") // To compare the pods would cost as much as to read the record.
    private static boolean isSame(Pod known, Pod pod) {
        return known == pod;
    }

    /** The claims may have changed since. */
    private void watch(Entry entry) {
        Set<String> watched = new HashSet<>();
        entry.said.byClaim().forEach((claim, devices) -> {
            boolean backed = ask(entry, claim, devices).isPresent();
            devices.stream()
                    .limit(backed ? devices.size() : Math.max(0, WATCHED - watched.size()))
                    .forEach(watched::add);
        });
        entry.watched.stream()
                .filter(device -> !watched.contains(device))
                .forEach(device -> take(byDevice, device, entry.pod.uid()));
        watched.stream()
                .filter(device -> !entry.watched.contains(device))
                .forEach(device -> byDevice.computeIfAbsent(device, name -> new TreeSet<>())
                        .add(entry.pod.uid()));
        entry.watched.clear();
        entry.watched.addAll(watched);
    }

    void remove(PodUid uid) {
        Entry known = entries.remove(uid);
        if (known != null) {
            known.watched.forEach(device -> take(byDevice, device, uid));
            known.keys().forEach(key -> take(byClaim, key, uid));
        }
    }

    /** The pods to which it matters what becomes of the device. */
    Set<PodUid> naming(String device) {
        return Collections.unmodifiableSet(byDevice.getOrDefault(device, Set.of()));
    }

    Set<PodUid> naming(DeviceClaim.Key claim) {
        return Collections.unmodifiableSet(byClaim.getOrDefault(claim, Set.of()));
    }

    List<String> named(PodUid uid) {
        return Optional.ofNullable(entries.get(uid))
                .map(entry -> entry.said)
                .orElse(DeviceUse.NONE)
                .devices();
    }

    /** The parts of the pod's record that are believed. */
    DeviceUse believed(Pod pod) {
        Entry entry = entries.get(pod.uid());
        Optional<NodeState> state =
                entry == null ? Optional.empty() : pod.nodeName().flatMap(ledger::node);
        if (entry == null || state.isEmpty()) {
            return DeviceUse.NONE;
        }
        SortedMap<String, List<String>> parts = new TreeMap<>();
        entry.said.byClaim().forEach((claim, devices) -> {
            if (ask(entry, claim, devices)
                    .filter(ask -> suit(devices, ask, state.get()))
                    .isPresent()) {
                parts.put(claim, devices);
            }
        });
        return new DeviceUse(parts);
    }

    /** What the claim asks for, if that can be the devices, whatever they are. */
    private Optional<DeviceClaim.Ask> ask(Entry entry, String claim, List<String> devices) {
        if (!entry.named.contains(claim)) {
            return Optional.empty();
        }
        return claims.named(entry.key(claim))
                .filter(made -> devices.size() == made.ask().total())
                .filter(made -> made.flaw().isEmpty())
                .map(DeviceClaim::ask)
                .filter(ask -> {
                    Set<String> distinct = new HashSet<>(devices);
                    return distinct.size() == devices.size() && distinct.containsAll(ask.names());
                });
    }

    private boolean suit(List<String> devices, DeviceClaim.Ask ask, NodeState state) {
        Set<String> named = new HashSet<>(ask.names());
        return devices.stream()
                .allMatch(name -> inventory
                        .named(name)
                        .filter(device -> device.isOn(state.node()))
                        .filter(device -> device.resource().equals(ask.resource()))
                        .filter(device ->
                                named.contains(name) || ask.properties().matches(device.properties()))
                        .isPresent());
    }

    private static <K> void take(Map<K, Set<PodUid>> map, K key, PodUid uid) {
        Set<PodUid> among = map.get(key);
        if (among != null && among.remove(uid) && among.isEmpty()) {
            map.remove(key);
        }
    }
}
