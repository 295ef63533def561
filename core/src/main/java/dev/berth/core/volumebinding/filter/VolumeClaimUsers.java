package dev.berth.core.volumebinding.filter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.collection.SetMultimap;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.volumebinding.PersistentVolumeClaimKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The pods that mount each claim, placed or not. */
public final class VolumeClaimUsers {
    private final LedgerView ledger;
    private final SetMultimap<PersistentVolumeClaimKey, PodUid> pods = SetMultimap.sorted();
    private long generation;

    public VolumeClaimUsers(LedgerView ledger) {
        this.ledger = ledger;
    }

    /** A pod was added or updated. */
    public void add(Pod pod) {
        if (pod.volumes().persistentVolumeClaims().isEmpty()) {
            return;
        }
        generation++;
        for (PodVolumes.PersistentVolumeClaimRef persistentVolumeClaimRef :
                pod.volumes().persistentVolumeClaims()) {
            pods.add(claimKey(pod, persistentVolumeClaimRef), pod.uid());
        }
    }

    public void remove(Pod pod) {
        if (pod.volumes().persistentVolumeClaims().isEmpty()) {
            return;
        }
        generation++;
        for (PodVolumes.PersistentVolumeClaimRef persistentVolumeClaimRef :
                pod.volumes().persistentVolumeClaims()) {
            pods.remove(claimKey(pod, persistentVolumeClaimRef), pod.uid());
        }
    }

    /** Grows whenever a pod that mounts a claim is added, updated or deleted. */
    long generation() {
        return generation;
    }

    /** All pods that mount the claim. */
    public Set<PodUid> podsUsing(PersistentVolumeClaimKey claim) {
        return pods.get(claim);
    }

    /** An active pod on a node, bound or assumed. */
    record PlacedUser(PodUid pod, String node) {}

    /** The placed users of the claim other than this pod. */
    List<PlacedUser> otherUsers(PersistentVolumeClaimKey claim, Pod than) {
        List<PlacedUser> users = new ArrayList<>();
        for (PodUid uid : podsUsing(claim)) {
            if (!uid.equals(than.uid())) {
                ledger.nodeNameOf(uid).ifPresent(node -> users.add(new PlacedUser(uid, node)));
            }
        }
        return users;
    }

    static PersistentVolumeClaimKey claimKey(Pod pod, PodVolumes.PersistentVolumeClaimRef persistentVolumeClaimRef) {
        return new PersistentVolumeClaimKey(pod.namespace(), persistentVolumeClaimRef.name());
    }
}
