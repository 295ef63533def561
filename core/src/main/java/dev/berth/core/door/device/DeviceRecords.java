package dev.berth.core.door.device;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The records of bound pods, and how far they are believed. Tenants can write them: a part counts only for a claim that
 * the pod names and that there is, with devices of the pod's node that are just what the claim asks for.
 */
final class DeviceRecords {
    private final LedgerView ledger;
    private final Inventory inventory;
    private final ClaimFile claims;
    private final Map<PodUid, Pod> pods = new HashMap<>();
    private final Map<String, Set<PodUid>> byDevice = new HashMap<>();
    private final Map<DeviceClaim.Key, Set<PodUid>> byClaim = new HashMap<>();

    DeviceRecords(LedgerView ledger, Inventory inventory, ClaimFile claims) {
        this.ledger = ledger;
        this.inventory = inventory;
        this.claims = claims;
    }

    boolean isEmpty() {
        return pods.isEmpty();
    }

    void put(Pod pod) {
        remove(pod.uid());
        DeviceUse said = said(pod);
        if (said.isEmpty() || pod.phase().terminal()) {
            return;
        }
        pods.put(pod.uid(), pod);
        said.devices()
                .forEach(device -> byDevice.computeIfAbsent(device, name -> new TreeSet<>())
                        .add(pod.uid()));
        keys(pod, said)
                .forEach(key ->
                        byClaim.computeIfAbsent(key, same -> new TreeSet<>()).add(pod.uid()));
    }

    void remove(PodUid uid) {
        Pod known = pods.remove(uid);
        if (known != null) {
            DeviceUse said = said(known);
            said.devices().forEach(device -> take(byDevice, device, uid));
            keys(known, said).forEach(key -> take(byClaim, key, uid));
        }
    }

    Set<PodUid> naming(String device) {
        return Set.copyOf(byDevice.getOrDefault(device, Set.of()));
    }

    Set<PodUid> naming(DeviceClaim.Key claim) {
        return Set.copyOf(byClaim.getOrDefault(claim, Set.of()));
    }

    List<String> named(PodUid uid) {
        return Optional.ofNullable(pods.get(uid))
                .map(DeviceRecords::said)
                .orElse(DeviceUse.NONE)
                .devices();
    }

    /** The parts of the pod's record that are believed. */
    DeviceUse believed(Pod pod) {
        SortedMap<String, List<String>> parts = new TreeMap<>();
        List<String> named = DeviceClaim.namedBy(pod);
        said(pod).byClaim().forEach((claim, devices) -> {
            if (named.contains(claim) && matches(pod, claim, devices)) {
                parts.put(claim, devices);
            }
        });
        return new DeviceUse(parts);
    }

    private boolean matches(Pod pod, String claim, List<String> devices) {
        Optional<DeviceClaim> made = claims.named(new DeviceClaim.Key(pod.namespace(), claim));
        Optional<NodeState> state = pod.nodeName().flatMap(ledger::node);
        if (made.isEmpty() || state.isEmpty() || made.get().flaw().isPresent()) {
            return false;
        }
        DeviceClaim.Ask ask = made.get().ask();
        return devices.size() == ask.total()
                && new TreeSet<>(devices).size() == devices.size()
                && devices.containsAll(ask.names())
                && devices.stream()
                        .allMatch(name -> inventory
                                .named(name)
                                .filter(device -> device.isOn(state.get().node()))
                                .filter(device -> suits(device, ask))
                                .isPresent());
    }

    private static boolean suits(Device device, DeviceClaim.Ask ask) {
        return device.resource().equals(ask.resource())
                && (ask.names().contains(device.name()) || ask.properties().matches(device.properties()));
    }

    private static DeviceUse said(Pod pod) {
        return DeviceUse.recordedIn(pod.annotations()).orElse(DeviceUse.NONE);
    }

    private static List<DeviceClaim.Key> keys(Pod pod, DeviceUse said) {
        return said.byClaim().keySet().stream()
                .map(claim -> new DeviceClaim.Key(pod.namespace(), claim))
                .toList();
    }

    private static <K> void take(Map<K, Set<PodUid>> map, K key, PodUid uid) {
        Set<PodUid> among = map.get(key);
        if (among != null && among.remove(uid) && among.isEmpty()) {
            map.remove(key);
        }
    }
}
