package dev.berth.core.door.devices;

import dev.berth.core.persistent.TrieMap;
import dev.berth.core.persistent.TrieMultimap;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The claims, by name and by the devices that they name. */
final class DeviceClaimIndex {
    /** Sorted. The maps are immutable: each change replaces them with a copy. */
    private TrieMap<DeviceClaim.ClaimKey, SortedMap<String, DeviceClaim>> byKey = TrieMap.empty();

    private TrieMultimap<String, DeviceClaim.ClaimKey> byDevice = TrieMultimap.empty();
    private long version;

    /** A copy in constant time. Later changes of this index do not show in it. */
    DeviceClaimIndex copy() {
        DeviceClaimIndex copy = new DeviceClaimIndex();
        copy.byKey = byKey;
        copy.byDevice = byDevice;
        copy.version = version;
        return copy;
    }

    /** Changes whenever a claim changes. */
    long version() {
        return version;
    }

    /** @param before the same object as it was observed before */
    void replace(Optional<DeviceClaim> before, DeviceClaim claim) {
        before.ifPresent(this::remove);
        version++;
        SortedMap<String, DeviceClaim> claims = new TreeMap<>(findAlike(claim.key()));
        claims.put(sortKey(claim), claim);
        byKey = byKey.with(claim.key(), claims);
        index(claim);
    }

    /** A claim that names more devices than a pod can have can never be satisfied, so it is not indexed by device. */
    private void index(DeviceClaim claim) {
        if (claim.spec().deviceNames().size() <= DeviceClaim.MAX_PER_POD) {
            claim.spec().deviceNames().forEach(device -> byDevice = byDevice.with(device, claim.key()));
        }
    }

    void remove(DeviceClaim claim) {
        version++;
        SortedMap<String, DeviceClaim> claims = new TreeMap<>(findAlike(claim.key()));
        claims.remove(sortKey(claim));
        byKey = claims.isEmpty() ? byKey.without(claim.key()) : byKey.with(claim.key(), claims);
        claim.spec().deviceNames().forEach(device -> byDevice = byDevice.without(device, claim.key()));
        claims.values().forEach(this::index);
    }

    private static String sortKey(DeviceClaim claim) {
        return claim.ref().group() + " " + claim.ref().uid();
    }

    /** The claim that takes effect. Several API groups may have a claim of this name. */
    Optional<DeviceClaim> findByKey(DeviceClaim.ClaimKey key) {
        return findAllByKey(key).stream().findFirst();
    }

    /** All objects of this name. The first one takes effect. */
    Collection<DeviceClaim> findAllByKey(DeviceClaim.ClaimKey key) {
        return findAlike(key).values();
    }

    private SortedMap<String, DeviceClaim> findAlike(DeviceClaim.ClaimKey key) {
        return Optional.ofNullable(byKey.get(key)).orElseGet(Collections::emptySortedMap);
    }

    Set<DeviceClaim.ClaimKey> findClaimsNaming(String device) {
        return byDevice.get(device);
    }
}
