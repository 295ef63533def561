package dev.berth.core.door.device;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.LedgerView;
import java.time.Instant;
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
 * Which pod has which devices and claims: what this process granted it, what the devices' objects say of it, and last
 * what its record says as far as {@link DeviceRecords} believes it. A pod that is gone or at its end has none. Where two
 * pods have one device, the one for which more than a record speaks is right, else the older one.
 */
final class Usage {
    /**
     * A pod that has devices.
     *
     * @param proven the devices among them for which more than its record speaks
     * @param provenClaims the claims of those devices
     */
    record User(Pod pod, DeviceUse use, Set<String> proven, Set<String> provenClaims) {
        private static final Comparator<User> ORDER =
                Comparator.<User, Instant>comparing(user -> user.pod.created()).thenComparing(user -> user.pod.uid());

        static User of(Pod pod, DeviceUse use, Set<String> proven) {
            Set<String> provenClaims = new HashSet<>();
            use.byClaim().forEach((claim, devices) -> {
                if (devices.stream().anyMatch(proven::contains)) {
                    provenClaims.add(claim);
                }
            });
            return new User(pod, use, proven, provenClaims);
        }

        /** Of several users of the device, the one that is right comes first. */
        private static Comparator<User> byRightTo(String device) {
            return Comparator.<User, Boolean>comparing(user -> !user.proven.contains(device))
                    .thenComparing(ORDER);
        }

        private static Comparator<User> byRightTo(DeviceClaim.Key claim) {
            return Comparator.<User, Boolean>comparing(user -> !user.provenClaims.contains(claim.name()))
                    .thenComparing(ORDER);
        }

        boolean bound() {
            return pod.nodeName().isPresent();
        }

        /** Whether the objects of its devices and claims are to say the same as before. */
        boolean hasTheSameAs(User before) {
            return bound() == before.bound() && use.equals(before.use) && proven.equals(before.proven);
        }

        DeviceClaim.Key key(String claim) {
            return new DeviceClaim.Key(pod.namespace(), claim);
        }
    }

    private final LedgerView ledger;
    private final Inventory inventory;
    private final DeviceRecords records;
    private final Map<PodUid, User> users = new HashMap<>();
    /** Those of them that are not known to be bound, with their records. */
    private final Map<PodUid, String> assumed = new TreeMap<>();

    private final Map<String, Set<User>> byDevice = new HashMap<>();
    private final Map<DeviceClaim.Key, Set<User>> byClaim = new HashMap<>();
    private long version;

    Usage(LedgerView ledger, Inventory inventory, ClaimFile claims) {
        this.ledger = ledger;
        this.inventory = inventory;
        this.records = new DeviceRecords(ledger, inventory, claims);
    }

    /** Whether no pod has devices or says so, and no device says that a pod has it. */
    boolean isEmpty() {
        return users.isEmpty() && assumed.isEmpty() && records.isEmpty() && !inventory.namesPods();
    }

    /** Whether the pod has devices, or something says so. Asked of every pod that comes and goes. */
    boolean concerns(Pod pod) {
        return users.containsKey(pod.uid())
                || pod.annotations().has(DeviceUse.ANNOTATION)
                || !inventory.linkedTo(pod.uid()).isEmpty();
    }

    /** The pods to whose records it matters what becomes of the device. */
    Set<PodUid> naming(String device) {
        return records.naming(device);
    }

    /** The pods whose records name the claim. */
    Set<PodUid> naming(DeviceClaim.Key claim) {
        return records.naming(claim);
    }

    /** Takes in the pod; gives what it had before. What was granted to one that is not bound yet stays. */
    Optional<User> seen(Pod pod) {
        if (pod.nodeName().isEmpty() && !pod.phase().terminal()) {
            return Optional.empty();
        }
        records.put(pod);
        Optional<User> before = remove(pod.uid());
        if (!pod.phase().terminal()) {
            add(workOut(pod));
        }
        return before;
    }

    /** What speaks for the pod's devices may have changed; gives what it had before. */
    Optional<User> again(PodUid uid) {
        return ledger.pod(uid).flatMap(this::seen);
    }

    User granted(Pod pod, DeviceUse use) {
        remove(pod.uid());
        User user = User.of(pod, use, Set.copyOf(use.devices()));
        add(user);
        return user;
    }

    /** The pods of which nothing came, which have nothing any more. */
    List<User> lapsed() {
        List<User> lapsed = assumed.keySet().stream()
                .flatMap(uid -> Optional.ofNullable(users.get(uid)).stream())
                .filter(user -> !holds(user))
                .toList();
        lapsed.forEach(user -> remove(user.pod.uid()));
        return lapsed;
    }

    /** Gives what the pod had. */
    Optional<User> gone(PodUid uid) {
        records.remove(uid);
        return remove(uid);
    }

    private Optional<User> remove(PodUid uid) {
        version++;
        assumed.remove(uid);
        Optional<User> known = Optional.ofNullable(users.remove(uid));
        known.ifPresent(user -> {
            user.use().devices().forEach(device -> take(byDevice, device, user));
            user.use().byClaim().keySet().forEach(claim -> take(byClaim, user.key(claim), user));
        });
        return known;
    }

    Optional<User> of(PodUid uid) {
        return Optional.ofNullable(users.get(uid)).filter(this::holds);
    }

    Optional<User> ofDevice(String device) {
        return first(byDevice.get(device));
    }

    /** Changes with every user. */
    long version() {
        return version;
    }

    /** Whether a pod may have the claim; {@link #ofClaim} says which. */
    boolean mayBeTaken(DeviceClaim.Key claim) {
        return byClaim.containsKey(claim);
    }

    Optional<User> ofClaim(DeviceClaim.Key claim) {
        return first(byClaim.get(claim));
    }

    /** The devices that the pod's record names and that the pod does not have. */
    List<String> falselyNamed(PodUid uid) {
        return records.named(uid).stream()
                .filter(device -> inventory.named(device).isPresent())
                .filter(device -> ofDevice(device)
                        .filter(user -> user.pod.uid().equals(uid))
                        .isEmpty())
                .toList();
    }

    private Optional<User> first(@Nullable Set<User> inOrder) {
        return inOrder == null
                ? Optional.empty()
                : inOrder.stream().filter(this::holds).findFirst();
    }

    /** What was granted holds for as long as the pod is assumed to get it. */
    private boolean holds(User user) {
        return user.bound()
                || ledger.assumption(user.pod.uid())
                        .map(Assumption::record)
                        .flatMap(record -> record.get(DeviceUse.ANNOTATION))
                        .filter(record -> record.equals(assumed.get(user.pod.uid())))
                        .isPresent();
    }

    private User workOut(Pod pod) {
        Optional<DeviceUse> granted =
                ledger.confirmed(pod.uid()).map(Assumption::record).flatMap(DeviceUse::recordedIn);
        if (granted.isPresent()) {
            return User.of(pod, granted.get(), Set.copyOf(granted.get().devices()));
        }
        TreeMap<String, List<String>> byClaimName = new TreeMap<>(listed(pod));
        Set<String> proven = new TreeSet<>();
        byClaimName.values().forEach(proven::addAll);
        records.believed(pod).byClaim().forEach((claim, said) -> byClaimName.merge(claim, said, Usage::completed));
        return User.of(pod, new DeviceUse(byClaimName), proven);
    }

    /** What the devices' objects say that the pod has. */
    private Map<String, List<String>> listed(Pod pod) {
        Map<String, TreeSet<String>> found = new TreeMap<>();
        for (Device device : inventory.linkedTo(pod.uid())) {
            if (device.link().namespace().equals(pod.namespace())) {
                found.computeIfAbsent(device.link().claim(), claim -> new TreeSet<>())
                        .add(device.name());
            }
        }
        Map<String, List<String>> lists = new TreeMap<>();
        found.forEach((claim, devices) -> lists.put(claim, List.copyOf(devices)));
        return lists;
    }

    /**
     * What a pod has by a claim. Each device is one write: if Berth was killed between two of them, the objects name the pod
     * for some devices of the claim, and the record for all.
     */
    private static List<String> completed(List<String> listed, List<String> said) {
        return new HashSet<>(said).containsAll(listed) ? said : listed;
    }

    private void add(User user) {
        if (user.use().isEmpty()) {
            return;
        }
        version++;
        users.put(user.pod.uid(), user);
        if (!user.bound()) {
            assumed.put(user.pod.uid(), user.use.words());
        }
        user.use()
                .devices()
                .forEach(device -> byDevice.computeIfAbsent(device, same -> new TreeSet<>(User.byRightTo(same)))
                        .add(user));
        user.use()
                .byClaim()
                .keySet()
                .forEach(claim -> byClaim.computeIfAbsent(user.key(claim), same -> new TreeSet<>(User.byRightTo(same)))
                        .add(user));
    }

    private static <K> void take(Map<K, Set<User>> map, K key, User user) {
        @Nullable Set<User> among = map.get(key);
        if (among != null && among.remove(user) && among.isEmpty()) {
            map.remove(key);
        }
    }
}
