package dev.berth.core.volumebinding.prebind;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.reconcile.Timers;
import dev.berth.core.volumebinding.PersistentVolume.ClaimRef;
import dev.berth.core.volumebinding.PersistentVolumeClaimKey;
import dev.berth.core.volumebinding.filter.AssumedVolumes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The pods that wait for their volumes, and a work queue of those that changed. */
final class PendingVolumeBindings implements AssumedVolumes {
    /** The oldest first. */
    private final Map<PodUid, PendingVolumeBinding> byPod = new LinkedHashMap<>();

    private final Timers<PodUid> deadlines = new Timers<>();

    private final Map<VolumeDecision, Set<PodUid>> podsByDecision = new HashMap<>();
    private final Map<String, VolumeDecision.StaticBinding> byVolume = new HashMap<>();
    private final Map<PersistentVolumeClaimKey, VolumeDecision> byClaim = new HashMap<>();
    private final Set<PodUid> queued = new TreeSet<>();
    private long generation;

    void add(PendingVolumeBinding pendingVolumeBinding) {
        generation++;
        byPod.put(pendingVolumeBinding.pod(), pendingVolumeBinding);
        deadlines.set(pendingVolumeBinding.pod(), pendingVolumeBinding.deadline());
        queued.add(pendingVolumeBinding.pod());
        for (VolumeDecision volumeDecision : pendingVolumeBinding.decisions()) {
            podsByDecision
                    .computeIfAbsent(volumeDecision, any -> new TreeSet<>())
                    .add(pendingVolumeBinding.pod());
            byClaim.put(volumeDecision.claimKey(), volumeDecision);
            if (volumeDecision instanceof VolumeDecision.StaticBinding staticBinding) {
                byVolume.put(staticBinding.volume(), staticBinding);
            }
        }
    }

    /**
     * The pod waits no longer. Idempotent.
     *
     * @return the decisions that no pod needs any more
     */
    List<VolumeDecision> remove(PodUid pod) {
        List<VolumeDecision> finished = new ArrayList<>();
        PendingVolumeBinding pendingVolumeBinding = byPod.remove(pod);
        deadlines.clear(pod);
        queued.remove(pod);
        if (pendingVolumeBinding != null) {
            generation++;
            for (VolumeDecision volumeDecision : pendingVolumeBinding.decisions()) {
                if (removeDecision(volumeDecision, pod)) {
                    finished.add(volumeDecision);
                }
            }
        }
        return finished;
    }

    private boolean removeDecision(VolumeDecision volumeDecision, PodUid pod) {
        Set<PodUid> pods = podsByDecision.getOrDefault(volumeDecision, new TreeSet<>());
        pods.remove(pod);
        if (!pods.isEmpty()) {
            return false;
        }
        podsByDecision.remove(volumeDecision);
        byClaim.remove(volumeDecision.claimKey(), volumeDecision);
        if (volumeDecision instanceof VolumeDecision.StaticBinding staticBinding) {
            byVolume.remove(staticBinding.volume(), staticBinding);
        }
        return true;
    }

    Optional<PendingVolumeBinding> find(PodUid pod) {
        return Optional.ofNullable(byPod.get(pod));
    }

    List<PendingVolumeBinding> onNode(String node) {
        return byPod.values().stream()
                .filter(pendingVolumeBinding -> pendingVolumeBinding.node().equals(node))
                .toList();
    }

    void requeueForVolume(String volume) {
        requeue(Optional.ofNullable(byVolume.get(volume)));
    }

    void requeueForClaim(PersistentVolumeClaimKey claim) {
        requeue(Optional.ofNullable(byClaim.get(claim)));
    }

    /** Queues the pods that wait for this object. */
    void requeue(VolumeDecision.WriteTarget target) {
        requeue(findDecision(target));
    }

    private void requeue(Optional<? extends VolumeDecision> decision) {
        decision.ifPresent(it -> queued.addAll(podsByDecision.getOrDefault(it, Set.of())));
    }

    private Optional<? extends VolumeDecision> findDecision(VolumeDecision.WriteTarget target) {
        return Optional.ofNullable(
                target.volume().isEmpty() ? byClaim.get(target.claim()) : byVolume.get(target.volume()));
    }

    /** The pending bindings that wait for this object. */
    List<PendingVolumeBinding> waitingFor(VolumeDecision.WriteTarget target) {
        return findAll(findDecision(target)
                .map(it -> podsByDecision.getOrDefault(it, Set.of()))
                .orElse(Set.of()));
    }

    /** Those that changed since they were last {@link #markProcessed}, and those whose deadline passed. */
    List<PendingVolumeBinding> due(Instant now) {
        queued.addAll(deadlines.expired(now));
        return findAll(queued);
    }

    private List<PendingVolumeBinding> findAll(Set<PodUid> pods) {
        return pods.stream().flatMap(pod -> find(pod).stream()).toList();
    }

    /** The binding is not due until it changes again. */
    void markProcessed(PendingVolumeBinding pendingVolumeBinding) {
        queued.remove(pendingVolumeBinding.pod());
    }

    Optional<Instant> nextDeadline() {
        return deadlines.next();
    }

    boolean isEmpty() {
        return byPod.isEmpty();
    }

    @Override
    public Optional<ClaimRef> assumedClaim(String volume) {
        return Optional.ofNullable(byVolume.get(volume)).map(VolumeDecision.StaticBinding::claim);
    }

    @Override
    public Optional<String> assumedNode(PersistentVolumeClaimKey claim) {
        return byClaim.get(claim) instanceof VolumeDecision.DynamicProvisioning dynamicProvisioning
                ? Optional.of(dynamicProvisioning.node())
                : Optional.empty();
    }

    @Override
    public long generation() {
        return generation;
    }
}
