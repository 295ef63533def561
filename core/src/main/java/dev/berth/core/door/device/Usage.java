package dev.berth.core.door.device;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.LedgerView;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which pod has which devices and claims: by its record where it is bound, by what was granted while it is assumed. A pod
 * that is gone or at its end has none. Where records contradict each other the older pod is right.
 */
final class Usage {
    /** A pod that has devices. */
    record User(Pod pod, DeviceUse use, boolean bound) {
        private static final Comparator<User> ORDER =
                Comparator.<User, Instant>comparing(user -> user.pod.created()).thenComparing(user -> user.pod.uid());

        DeviceClaim.Key key(String claim) {
            return new DeviceClaim.Key(pod.namespace(), claim);
        }
    }

    private final LedgerView ledger;
    private final Map<PodUid, User> users = new HashMap<>();
    /** Those of them that are not known to be bound. */
    private final Set<PodUid> assumed = new TreeSet<>();

    private final Map<String, NavigableSet<User>> byDevice = new HashMap<>();
    private final Map<DeviceClaim.Key, NavigableSet<User>> byClaim = new HashMap<>();

    Usage(LedgerView ledger) {
        this.ledger = ledger;
    }

    /** Whether no pod has devices. */
    boolean isEmpty() {
        return users.isEmpty() && assumed.isEmpty();
    }

    /** Whether the pod has devices, or says so. Asked of every pod that comes and goes. */
    boolean concerns(Pod pod) {
        return users.containsKey(pod.uid()) || pod.annotations().has(DeviceUse.ANNOTATION);
    }

    /** Takes in the pod; gives what it had before. What was granted to one that is not bound yet stays. */
    Optional<User> seen(Pod pod) {
        if (pod.nodeName().isEmpty() && !pod.phase().terminal()) {
            return Optional.empty();
        }
        Optional<User> before = gone(pod.uid());
        if (!pod.phase().terminal()) {
            DeviceUse.recordedIn(pod.annotations()).ifPresent(use -> add(new User(pod, use, true)));
        }
        return before;
    }

    User granted(Pod pod, DeviceUse use) {
        gone(pod.uid());
        User user = new User(pod, use, false);
        add(user);
        return user;
    }

    /** The pods of which nothing came, which have nothing any more. */
    List<User> lapsed() {
        List<User> lapsed = assumed.stream()
                .flatMap(uid -> Optional.ofNullable(users.get(uid)).stream())
                .filter(user -> !holds(user))
                .toList();
        lapsed.forEach(user -> gone(user.pod.uid()));
        return lapsed;
    }

    /** Gives what the pod had. */
    Optional<User> gone(PodUid uid) {
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

    Optional<User> ofClaim(DeviceClaim.Key claim) {
        return first(byClaim.get(claim));
    }

    private Optional<User> first(@Nullable NavigableSet<User> among) {
        return among == null
                ? Optional.empty()
                : among.stream().filter(this::holds).findFirst();
    }

    /** What was granted holds for as long as the pod is assumed to get it. */
    private boolean holds(User user) {
        return user.bound
                || ledger.assumption(user.pod.uid())
                        .map(Assumption::record)
                        .flatMap(DeviceUse::recordedIn)
                        .filter(user.use::equals)
                        .isPresent();
    }

    private void add(User user) {
        users.put(user.pod.uid(), user);
        if (!user.bound) {
            assumed.add(user.pod.uid());
        }
        user.use().devices().forEach(device -> put(byDevice, device, user));
        user.use().byClaim().keySet().forEach(claim -> put(byClaim, user.key(claim), user));
    }

    private static <K> void put(Map<K, NavigableSet<User>> map, K key, User user) {
        map.computeIfAbsent(key, same -> new TreeSet<>(User.ORDER)).add(user);
    }

    private static <K> void take(Map<K, NavigableSet<User>> map, K key, User user) {
        NavigableSet<User> among = map.get(key);
        if (among != null && among.remove(user) && among.isEmpty()) {
            map.remove(key);
        }
    }
}
