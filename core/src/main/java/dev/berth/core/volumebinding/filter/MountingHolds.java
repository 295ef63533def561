package dev.berth.core.volumebinding.filter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.collection.SetMultimap;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.ChangedSlots;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.volumebinding.PersistentVolumeClaimKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The holds that count as pods, by the claims that they mount. Only pods with ReadWriteOncePod claims need them, so the ledger's
 * change log is read when such a pod is scheduled, and not before.
 */
final class MountingHolds {
    private final LedgerView ledger;
    private final ChangedSlots changedSlots = new ChangedSlots();
    private final Map<Integer, List<MountingHold>> bySlot = new HashMap<>();
    private final SetMultimap<PersistentVolumeClaimKey, MountingHold> byClaim = SetMultimap.inOrderOfAddition();

    MountingHolds(LedgerView ledger) {
        this.ledger = ledger;
    }

    /** A hold on a node. */
    record MountingHold(Hold hold, String node) {}

    /** The holds that mount the claim now. */
    Set<MountingHold> holdsMounting(PersistentVolumeClaimKey claim) {
        changedSlots.drain(ledger).forEach(this::refresh);
        return byClaim.get(claim);
    }

    private void refresh(int slot) {
        List<MountingHold> before = bySlot.getOrDefault(slot, List.of());
        List<MountingHold> after =
                ledger.nodeAt(slot).map(MountingHolds::holdsOn).orElse(List.of());
        if (before.equals(after)) {
            return;
        }
        before.forEach(mounting -> claimsOf(mounting.hold).forEach(claim -> byClaim.remove(claim, mounting)));
        after.forEach(mounting -> claimsOf(mounting.hold).forEach(claim -> byClaim.add(claim, mounting)));
        if (after.isEmpty()) {
            bySlot.remove(slot);
        } else {
            bySlot.put(slot, after);
        }
    }

    private static List<MountingHold> holdsOn(NodeState state) {
        if (state.neighbours().isEmpty()) {
            return List.of();
        }
        List<MountingHold> mounting = new ArrayList<>();
        for (Hold hold : state.neighbours()) {
            if (!claimsOf(hold).isEmpty()) {
                mounting.add(new MountingHold(hold, state.node().name()));
            }
        }
        return mounting;
    }

    /** The claims that the hold mounts while it counts as a pod. */
    static List<PersistentVolumeClaimKey> claimsOf(Hold hold) {
        Pod neighbour = hold.neighbour().orElseThrow();
        return neighbour.volumes().persistentVolumeClaims().isEmpty()
                ? List.of()
                : neighbour.volumes().persistentVolumeClaims().stream()
                        .map(claimed -> VolumeClaimUsers.claimKey(neighbour, claimed))
                        .toList();
    }
}
