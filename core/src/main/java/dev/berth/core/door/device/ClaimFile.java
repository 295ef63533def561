package dev.berth.core.door.device;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The claims that there are, by name and by the devices that they name. */
final class ClaimFile {
    private final Map<String, DeviceClaim> byUid = new HashMap<>();
    private final Map<DeviceClaim.Key, TreeMap<String, DeviceClaim>> byKey = new HashMap<>();
    private final Map<String, TreeSet<DeviceClaim.Key>> byDevice = new HashMap<>();

    private long version;

    /** Changes with every claim. */
    long version() {
        return version;
    }

    void put(DeviceClaim claim) {
        remove(claim.ref().uid());
        version++;
        byUid.put(claim.ref().uid(), claim);
        byKey.computeIfAbsent(claim.key(), key -> new TreeMap<>()).put(order(claim), claim);
        file(claim);
    }

    /** A claim that names more devices than a pod can have is of no use, whatever becomes of the devices. */
    private void file(DeviceClaim claim) {
        if (claim.ask().names().size() <= DeviceClaim.MOST) {
            claim.ask()
                    .names()
                    .forEach(device -> byDevice.computeIfAbsent(device, name -> new TreeSet<>())
                            .add(claim.key()));
        }
    }

    Optional<DeviceClaim> find(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    Optional<DeviceClaim> remove(String uid) {
        Optional<DeviceClaim> known = Optional.ofNullable(byUid.remove(uid));
        known.ifPresent(claim -> {
            version++;
            TreeMap<String, DeviceClaim> alike = byKey.getOrDefault(claim.key(), new TreeMap<>());
            alike.remove(order(claim));
            if (alike.isEmpty()) {
                byKey.remove(claim.key());
            }
            claim.ask()
                    .names()
                    .forEach(device -> byDevice.computeIfPresent(device, (name, keys) -> {
                        keys.remove(claim.key());
                        return keys.isEmpty() ? null : keys;
                    }));
            alike.values().forEach(this::file);
        });
        return known;
    }

    private static String order(DeviceClaim claim) {
        return claim.ref().group() + " " + claim.ref().uid();
    }

    /** The claim that counts where several groups have one of this name. */
    Optional<DeviceClaim> named(DeviceClaim.Key key) {
        return all(key).stream().findFirst();
    }

    /** All objects of this name, the one that counts first. */
    Collection<DeviceClaim> all(DeviceClaim.Key key) {
        return byKey.getOrDefault(key, new TreeMap<>()).values();
    }

    Set<DeviceClaim.Key> naming(String device) {
        return byDevice.getOrDefault(device, new TreeSet<>());
    }
}
