package dev.berth.core.door.devices;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.devices.DeviceUsage.DeviceUser;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.persistent.TrieMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The pods that have devices and claims, immutable.
 *
 * @param byDevice the users of a device up to the first bound one, in the order of precedence
 * @param byClaim the same for a claim
 * @param assumed for each user that is not known to be bound, the annotation that was granted to it
 * @param version changes whenever a user changes
 */
record DeviceUsers(
        TrieMap<String, List<DeviceUser>> byDevice,
        TrieMap<DeviceClaim.ClaimKey, List<DeviceUser>> byClaim,
        TrieMap<PodUid, String> assumed,
        long version) {
    static final DeviceUsers NONE = new DeviceUsers(TrieMap.empty(), TrieMap.empty(), TrieMap.empty(), 0);

    Optional<DeviceUser> findByDevice(LedgerView ledger, String device) {
        return findFirstValid(ledger, byDevice.get(device));
    }

    Optional<DeviceUser> findByClaim(LedgerView ledger, DeviceClaim.ClaimKey claim) {
        return findFirstValid(ledger, byClaim.get(claim));
    }

    private Optional<DeviceUser> findFirstValid(LedgerView ledger, @Nullable List<DeviceUser> inOrder) {
        return inOrder == null
                ? Optional.empty()
                : inOrder.stream().filter(user -> isValid(ledger, user)).findFirst();
    }

    /** A grant to an unbound pod is valid while the ledger assumes the pod with this annotation. */
    boolean isValid(LedgerView ledger, DeviceUser user) {
        return user.isBound()
                || ledger.assumption(user.pod().uid())
                        .map(Assumption::bindAnnotations)
                        .flatMap(record -> record.get(DeviceUse.ANNOTATION))
                        .filter(record -> record.equals(assumed.get(user.pod().uid())))
                        .isPresent();
    }
}
