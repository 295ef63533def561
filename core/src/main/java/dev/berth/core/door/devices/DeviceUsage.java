package dev.berth.core.door.devices;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.persistent.TrieMap;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which pod has which devices and claims. There are three sources, in this order: what this process granted, the
 * devices' objects, and the pod's record as far as {@link DeviceRecords} trusts it. A deleted or finished pod has none.
 * If two pods have one device, a pod with more than a record takes precedence, then the older pod.
 */
final class DeviceUsage implements DeviceUserLookup {
    /**
     * A pod that has devices.
     *
     * @param confirmedDevices the devices for which there is more than the pod's record
     * @param confirmedClaims the claims of those devices
     */
    record DeviceUser(Pod pod, DeviceUse use, Set<String> confirmedDevices, Set<String> confirmedClaims) {
        private static final Comparator<DeviceUser> ORDER = Comparator.<DeviceUser, Instant>comparing(
                        user -> user.pod.created())
                .thenComparing(user -> user.pod.uid());

        static DeviceUser of(Pod pod, DeviceUse use, Set<String> confirmedDevices) {
            Set<String> confirmedClaims = new HashSet<>();
            use.byClaim().forEach((claim, devices) -> {
                if (devices.stream().anyMatch(confirmedDevices::contains)) {
                    confirmedClaims.add(claim);
                }
            });
            return new DeviceUser(pod, use, confirmedDevices, confirmedClaims);
        }

        /** Sorts the users of a device: the one that takes precedence comes first. */
        private static Comparator<DeviceUser> byPrecedenceFor(String device) {
            return Comparator.<DeviceUser, Boolean>comparing(user -> !user.confirmedDevices.contains(device))
                    .thenComparing(ORDER);
        }

        private static Comparator<DeviceUser> byPrecedenceFor(DeviceClaim.ClaimKey claim) {
            return Comparator.<DeviceUser, Boolean>comparing(user -> !user.confirmedClaims.contains(claim.name()))
                    .thenComparing(ORDER);
        }

        boolean isBound() {
            return pod.nodeName().isPresent();
        }

        /** Whether the objects of its devices and claims need the same status as before. */
        boolean hasSameUseAs(DeviceUser before) {
            return isBound() == before.isBound()
                    && use.equals(before.use)
                    && confirmedDevices.equals(before.confirmedDevices);
        }

        DeviceClaim.ClaimKey claimKey(String claim) {
            return new DeviceClaim.ClaimKey(pod.namespace(), claim);
        }
    }

    private final LedgerView ledger;
    private final DeviceInventory inventory;
    private final DeviceRecords records;
    private final Map<PodUid, DeviceUser> users = new HashMap<>();
    /** All users of a device or a claim in the order of precedence; {@link #published} has the first ones. */
    private final Map<String, Set<DeviceUser>> byDevice = new HashMap<>();

    private final Map<DeviceClaim.ClaimKey, Set<DeviceUser>> byClaim = new HashMap<>();
    private DeviceUsers published = DeviceUsers.NONE;

    DeviceUsage(LedgerView ledger, DeviceInventory inventory, DeviceClaimIndex claims) {
        this.ledger = ledger;
        this.inventory = inventory;
        this.records = new DeviceRecords(ledger, inventory, claims);
    }

    /** Whether no pod has devices or a record, and no device is bound to a pod. */
    boolean isEmpty() {
        return users.isEmpty() && published.assumed().isEmpty() && records.isEmpty() && !inventory.hasBoundDevices();
    }

    /** Whether the pod has devices, a record or a bound device. Called for every pod event. */
    boolean isRelevant(Pod pod) {
        return users.containsKey(pod.uid())
                || pod.annotations().has(DeviceUse.ANNOTATION)
                || !inventory.findBoundTo(pod.uid()).isEmpty();
    }

    /** The pods whose records a change of the device may affect. */
    Set<PodUid> findPodsNaming(String device) {
        return records.findPodsNaming(device);
    }

    /** The pods whose records name the claim. */
    Set<PodUid> findPodsNaming(DeviceClaim.ClaimKey claim) {
        return records.findPodsNaming(claim);
    }

    /** Adds or updates the pod. Returns its devices before. An unbound pod keeps what was granted to it. */
    Optional<DeviceUser> onUpsert(Pod pod) {
        if (pod.nodeName().isEmpty() && !pod.phase().isTerminal()) {
            return Optional.empty();
        }
        records.put(pod);
        Optional<DeviceUser> before = remove(pod.uid());
        if (!pod.phase().isTerminal()) {
            add(computeUse(pod));
        }
        return before;
    }

    /** The devices of the pod may have changed. Returns its devices before. */
    Optional<DeviceUser> recompute(PodUid uid) {
        return ledger.pod(uid).flatMap(this::onUpsert);
    }

    DeviceUser assume(Pod pod, DeviceUse use) {
        remove(pod.uid());
        DeviceUser user = DeviceUser.of(pod, use, Set.copyOf(use.devices()));
        add(user);
        return user;
    }

    /** Removes the assumed pods that the ledger forgot, and returns them. */
    List<DeviceUser> removeForgotten() {
        List<DeviceUser> forgotten = new ArrayList<>();
        published
                .assumed()
                .forEach((uid, record) -> Optional.ofNullable(users.get(uid))
                        .filter(user -> !published.isValid(ledger, user))
                        .ifPresent(forgotten::add));
        forgotten.sort(Comparator.comparing(user -> user.pod.uid()));
        forgotten.forEach(user -> remove(user.pod.uid()));
        return forgotten;
    }

    /** Returns the devices that the pod had. */
    Optional<DeviceUser> onDelete(PodUid uid) {
        records.remove(uid);
        return remove(uid);
    }

    private Optional<DeviceUser> remove(PodUid uid) {
        Optional<DeviceUser> existing = Optional.ofNullable(users.remove(uid));
        existing.ifPresent(user -> {
            user.use().devices().forEach(device -> removeFrom(byDevice, device, user));
            user.use().byClaim().keySet().forEach(claim -> removeFrom(byClaim, user.claimKey(claim), user));
            publish(user, published.assumed().without(uid));
        });
        return existing;
    }

    Optional<DeviceUser> findByPod(PodUid uid) {
        return Optional.ofNullable(users.get(uid)).filter(user -> published.isValid(ledger, user));
    }

    @Override
    public Optional<DeviceUser> findByDevice(String device) {
        return published.findByDevice(ledger, device);
    }

    @Override
    public boolean mayBeInUse(DeviceClaim.ClaimKey claim) {
        return byClaim.containsKey(claim);
    }

    @Override
    public long version() {
        return published.version();
    }

    @Override
    public Optional<DeviceUser> findByClaim(DeviceClaim.ClaimKey claim) {
        return published.findByClaim(ledger, claim);
    }

    /** The present users, immutable. */
    DeviceUsers published() {
        return published;
    }

    /** Updates the published users after a change of this user. */
    private void publish(DeviceUser changed, TrieMap<PodUid, String> assumed) {
        TrieMap<String, List<DeviceUser>> devices = published.byDevice();
        for (String device : changed.use().devices()) {
            devices = withFirstUsers(devices, device, byDevice.get(device));
        }
        TrieMap<DeviceClaim.ClaimKey, List<DeviceUser>> claims = published.byClaim();
        for (String claim : changed.use().byClaim().keySet()) {
            DeviceClaim.ClaimKey key = changed.claimKey(claim);
            claims = withFirstUsers(claims, key, byClaim.get(key));
        }
        published = new DeviceUsers(devices, claims, assumed, published.version() + 1);
    }

    /** A bound user is always valid, so the users after it never take effect. */
    private static <K> TrieMap<K, List<DeviceUser>> withFirstUsers(
            TrieMap<K, List<DeviceUser>> map, K key, @Nullable Set<DeviceUser> inOrder) {
        if (inOrder == null) {
            return map.without(key);
        }
        List<DeviceUser> first = new ArrayList<>(1);
        for (DeviceUser user : inOrder) {
            first.add(user);
            if (user.isBound()) {
                break;
            }
        }
        return map.with(key, List.copyOf(first));
    }

    /** The devices that the pod's record names and that the pod does not have. */
    List<String> findFalselyRecorded(PodUid uid) {
        return records.findRecordedDevices(uid).stream()
                .filter(device -> inventory.findByName(device).isPresent())
                .filter(device -> findByDevice(device)
                        .filter(user -> user.pod.uid().equals(uid))
                        .isEmpty())
                .toList();
    }

    private DeviceUser computeUse(Pod pod) {
        Optional<DeviceUse> granted = ledger.confirmedAssumption(pod.uid())
                .map(Assumption::bindAnnotations)
                .flatMap(DeviceUse::recordedIn);
        if (granted.isPresent()) {
            return DeviceUser.of(pod, granted.get(), Set.copyOf(granted.get().devices()));
        }
        TreeMap<String, List<String>> byClaimName = new TreeMap<>(findBoundDevices(pod));
        Set<String> boundDevices = new TreeSet<>();
        byClaimName.values().forEach(boundDevices::addAll);
        records.trustedUse(pod)
                .byClaim()
                .forEach((claim, recorded) -> byClaimName.merge(claim, recorded, DeviceUsage::completeFromRecord));
        return DeviceUser.of(pod, new DeviceUse(byClaimName), boundDevices);
    }

    /** The devices whose objects are bound to the pod. */
    private Map<String, List<String>> findBoundDevices(Pod pod) {
        Map<String, TreeSet<String>> found = new TreeMap<>();
        for (Device device : inventory.findBoundTo(pod.uid())) {
            if (device.binding().claimNamespace().equals(pod.namespace())) {
                found.computeIfAbsent(device.binding().claimName(), claim -> new TreeSet<>())
                        .add(device.name());
            }
        }
        Map<String, List<String>> lists = new TreeMap<>();
        found.forEach((claim, devices) -> lists.put(claim, List.copyOf(devices)));
        return lists;
    }

    /**
     * The devices that a pod has by one claim. Each device is a separate write. If Berth was killed between two writes,
     * only some objects name the pod, but the record names all devices of the claim.
     */
    private static List<String> completeFromRecord(List<String> listed, List<String> recorded) {
        return new HashSet<>(recorded).containsAll(listed) ? recorded : listed;
    }

    private void add(DeviceUser user) {
        if (user.use().isEmpty()) {
            return;
        }
        users.put(user.pod.uid(), user);
        user.use()
                .devices()
                .forEach(device -> byDevice.computeIfAbsent(
                                device, same -> new TreeSet<>(DeviceUser.byPrecedenceFor(same)))
                        .add(user));
        user.use()
                .byClaim()
                .keySet()
                .forEach(claim -> byClaim.computeIfAbsent(
                                user.claimKey(claim), same -> new TreeSet<>(DeviceUser.byPrecedenceFor(same)))
                        .add(user));
        TrieMap<PodUid, String> assumed = published.assumed();
        publish(user, user.isBound() ? assumed : assumed.with(user.pod.uid(), user.use.annotationValue()));
    }

    private static <K> void removeFrom(Map<K, Set<DeviceUser>> map, K key, DeviceUser user) {
        @Nullable Set<DeviceUser> among = map.get(key);
        if (among != null && among.remove(user) && among.isEmpty()) {
            map.remove(key);
        }
    }
}
