package dev.berth.core.volumebinding.filter;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.Quantity;
import dev.berth.core.volumebinding.CsiDriver;
import dev.berth.core.volumebinding.CsiNode;
import dev.berth.core.volumebinding.CsiStorageCapacity;
import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.StorageClass;
import dev.berth.core.volumebinding.StorageObject;
import dev.berth.core.volumebinding.VolumeAttachment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The rules about volumes as kube-scheduler's plugins state them one after the other, without any index. */
final class SlowVolumePlugins {
    private final LedgerView ledger;
    private final Collection<StorageObject> objects;
    private final Collection<Pod> pods;
    private final Collection<Hold> holds;

    SlowVolumePlugins(
            LedgerView ledger, Collection<StorageObject> objects, Collection<Pod> pods, Collection<Hold> holds) {
        this.ledger = ledger;
        this.objects = objects;
        this.pods = pods;
        this.holds = holds;
    }

    /**
     * What is placed.
     *
     * @param request whether it is a reservation, which sees all holds but its own
     * @param hold the hold that the pod uses on the node
     */
    record Attempt(Pod pod, boolean request, Optional<Hold> hold) {}

    /** The holds of all nodes that count as pods, because no pod is in their place. */
    private List<Hold> holdsCountingAsPods() {
        return holds.stream()
                .filter(hold -> hold.neighbour().isPresent())
                .filter(hold -> {
                    HoldState state = ledger.holdState(hold.id()).orElseThrow();
                    return state.nodeName().isPresent()
                            && state.claims().isEmpty()
                            && pods.stream()
                                    .noneMatch(pod -> hold.backers().contains(pod.uid())
                                            && pod.nodeName().equals(state.nodeName()));
                })
                .toList();
    }

    private boolean isOn(Hold hold, NodeState state) {
        return hold.node().equals(state.node().uid());
    }

    private static boolean isIgnored(Hold hold, Pod pod) {
        return hold.isReservation() && pod.spec().reservations().ignored();
    }

    /** An owner is in the place of a hold that it may use, wherever the hold is. */
    private List<Pod> standInsSeenBy(Attempt attempt) {
        return holdsCountingAsPods().stream()
                .filter(hold ->
                        attempt.request || hold.isClosed() || !hold.ownerRule().admits(attempt.pod))
                .filter(hold -> !isIgnored(hold, attempt.pod))
                .map(hold -> hold.neighbour().orElseThrow())
                .filter(standIn -> !standIn.uid().equals(attempt.pod.uid()))
                .toList();
    }

    /** The PreFilter veto of the pod. */
    Optional<String> preFilter(Pod pod) {
        for (PodVolumes.PersistentVolumeClaimRef persistentVolumeClaimRef :
                pod.volumes().persistentVolumeClaims()) {
            if (!persistentVolumeClaimRef.ephemeral()
                    && claim(pod, persistentVolumeClaimRef).isEmpty()) {
                return Optional.of("persistentvolumeclaim \"%s\" not found".formatted(persistentVolumeClaimRef.name()));
            }
        }
        for (PodVolumes.PersistentVolumeClaimRef claimed : pod.volumes().persistentVolumeClaims()) {
            if (claim(pod, claimed).isEmpty()) {
                return Optional.of("waiting for ephemeral volume controller to create the persistentvolumeclaim \"%s\""
                        .formatted(claimed.name()));
            }
            PersistentVolumeClaim claim = claim(pod, claimed).get();
            if (claim.state().lost()) {
                return Optional.of("persistentvolumeclaim \"%s\" bound to non-existent persistentvolume \"%s\""
                        .formatted(claimed.name(), claim.state().volumeName()));
            }
            if (claim.state().terminating()) {
                return Optional.of("persistentvolumeclaim \"%s\" is being deleted".formatted(claimed.name()));
            }
            if (claimed.ephemeral()
                    && !claim.state().ownerUid().equals(Optional.of(pod.uid().value()))) {
                return Optional.of("PVC %s was not created for pod %s (pod is not owner)".formatted(claim.key(), pod));
            }
        }
        for (PersistentVolumeClaim claim : claims(pod)) {
            if (!bound(claim) && !delayed(claim)) {
                return Optional.of("pod has unbound immediate PersistentVolumeClaims");
            }
        }
        for (PodVolumes.PersistentVolumeClaimRef claimed : pod.volumes().persistentVolumeClaims()) {
            String volume = claim(pod, claimed).orElseThrow().state().volumeName();
            if (!claimed.ephemeral() && !volume.isEmpty() && volume(volume).isEmpty()) {
                return Optional.of("persistentvolume \"%s\" not found".formatted(volume));
            }
        }
        return Optional.empty();
    }

    /** What the node says, given that there is nothing beforehand. */
    Set<String> messages(Attempt attempt, NodeState state) {
        Pod pod = attempt.pod;
        if (diskConflict(attempt, state)) {
            return Set.of("node(s) had no available disk");
        }
        if (readWriteOncePodConflict(pod) || readWriteOncePodHeld(attempt)) {
            return Set.of("node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already"
                    + " in-use by another pod");
        }
        if (tooMany(attempt, state)) {
            return Set.of("node(s) exceed max volume count");
        }
        Set<String> binding = binding(pod, state.node());
        if (!binding.isEmpty()) {
            return binding;
        }
        return zones(pod, state.node()) ? Set.of() : Set.of("node(s) had no available volume zone");
    }

    private boolean diskConflict(Attempt attempt, NodeState state) {
        List<Pod> all = new ArrayList<>(state.pods());
        List<Pod> seen = standInsSeenBy(attempt);
        for (Hold hold : holdsCountingAsPods()) {
            if (isOn(hold, state) && seen.contains(hold.neighbour().orElseThrow())) {
                all.add(hold.neighbour().orElseThrow());
            }
        }
        for (PodVolumes.Disk mine : attempt.pod.volumes().disks()) {
            for (Pod there : all) {
                for (PodVolumes.Disk other : there.volumes().disks()) {
                    boolean readOnly = mine.readOnly() && other.readOnly();
                    boolean same = mine.kind() == other.kind() && mine.id().equals(other.id());
                    boolean conflict = switch (mine.kind()) {
                        case AWS_EBS -> same;
                        case GCE_PD, ISCSI -> same && !readOnly;
                        case RBD -> {
                            Set<String> shared = new HashSet<>(mine.monitors());
                            shared.retainAll(other.monitors());
                            yield same && !readOnly && !shared.isEmpty();
                        }
                        case CINDER, AZURE_DISK, PORTWORX -> false;
                    };
                    if (conflict) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean readWriteOncePodConflict(Pod pod) {
        for (PodVolumes.PersistentVolumeClaimRef persistentVolumeClaimRef :
                pod.volumes().persistentVolumeClaims()) {
            if (persistentVolumeClaimRef.ephemeral()
                    || !claim(pod, persistentVolumeClaimRef)
                            .orElseThrow()
                            .spec()
                            .accessModes()
                            .contains("ReadWriteOncePod")) {
                continue;
            }
            for (Pod other : pods) {
                boolean placed = !other.phase().isTerminal()
                        && (other.nodeName().isPresent()
                                || ledger.assumption(other.uid()).isPresent());
                if (placed
                        && !other.uid().equals(pod.uid())
                        && other.namespace().equals(pod.namespace())
                        && other.volumes().persistentVolumeClaims().stream()
                                .anyMatch(it -> it.name().equals(persistentVolumeClaimRef.name()))) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean readWriteOncePodHeld(Attempt attempt) {
        for (PodVolumes.PersistentVolumeClaimRef claimed : attempt.pod.volumes().persistentVolumeClaims()) {
            boolean exclusive = !claimed.ephemeral()
                    && claim(attempt.pod, claimed)
                            .orElseThrow()
                            .spec()
                            .accessModes()
                            .contains("ReadWriteOncePod");
            for (Pod standIn : standInsSeenBy(attempt)) {
                if (exclusive
                        && standIn.namespace().equals(attempt.pod.namespace())
                        && standIn.volumes().persistentVolumeClaims().contains(claimed)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Of the holds only the one that the pod uses does not count. */
    private boolean tooMany(Attempt attempt, NodeState state) {
        Optional<CsiNode> csiNode = all(CsiNode.class).stream()
                .filter(node -> node.name().equals(state.node().name()))
                .findFirst();
        if (csiNode.isEmpty()) {
            return false;
        }
        Map<String, String> fresh = new HashMap<>();
        attachable(attempt.pod, fresh);
        Map<String, String> attached = new HashMap<>();
        state.pods().forEach(there -> attachable(there, attached));
        for (Hold hold : holdsCountingAsPods()) {
            Pod standIn = hold.neighbour().orElseThrow();
            if (isOn(hold, state)
                    && !attempt.hold.equals(Optional.of(hold))
                    && !isIgnored(hold, attempt.pod)
                    && !standIn.uid().equals(attempt.pod.uid())) {
                attachable(standIn, attached);
            }
        }
        fresh.keySet().removeAll(attached.keySet());
        for (VolumeAttachment attachment : all(VolumeAttachment.class)) {
            if (attachment.node().equals(state.node().name())
                    && !attachment.attacher().isEmpty()
                    && attachment.volume().flatMap(this::volume).isPresent()) {
                volume(attachment.volume().orElseThrow())
                        .orElseThrow()
                        .reachability()
                        .csiVolume()
                        .ifPresent(csiVolume ->
                                attached.put(attachment.attacher() + "/" + csiVolume.handle(), attachment.attacher()));
            }
        }
        for (String driver : Set.copyOf(fresh.values())) {
            Long limit = csiNode.get().attachLimits().get(driver);
            long count = fresh.values().stream().filter(driver::equals).count()
                    + attached.values().stream().filter(driver::equals).count();
            if (limit != null && count > limit) {
                return true;
            }
        }
        return false;
    }

    /** Volumes that no claim stands for are not in the random worlds: the drivers of inline disks have tests by hand. */
    private void attachable(Pod pod, Map<String, String> into) {
        for (int i = 0; i < pod.volumes().templateClasses().size(); i++) {
            String name = pod.volumes().templateClasses().get(i);
            String key = "/template/" + pod.uid() + "/" + i;
            all(StorageClass.class).stream()
                    .filter(it -> it.name().equals(name))
                    .forEach(it -> into.put(it.provisioner() + key, it.provisioner()));
        }
        for (PodVolumes.PersistentVolumeClaimRef persistentVolumeClaimRef :
                pod.volumes().persistentVolumeClaims()) {
            Optional<PersistentVolumeClaim> claim = claim(pod, persistentVolumeClaimRef);
            if (claim.isEmpty()
                    || (persistentVolumeClaimRef.ephemeral()
                            && !claim.get()
                                    .state()
                                    .ownerUid()
                                    .equals(Optional.of(pod.uid().value())))) {
                continue;
            }
            Optional<PersistentVolume> volume = volume(claim.get().state().volumeName());
            if (volume.isPresent()) {
                volume.get()
                        .reachability()
                        .csiVolume()
                        .ifPresent(csiVolume ->
                                into.put(csiVolume.driver() + "/" + csiVolume.handle(), csiVolume.driver()));
            } else {
                storageClass(claim.get())
                        .ifPresent(it -> into.put(
                                it.provisioner() + "/unbound/" + claim.get().key(), it.provisioner()));
            }
        }
    }

    private Set<String> binding(Pod pod, Node node) {
        Set<String> words = new TreeSet<>();
        for (PersistentVolumeClaim claim : claims(pod)) {
            if (bound(claim)) {
                Optional<PersistentVolume> volume = volume(claim.state().volumeName());
                if (volume.isEmpty()) {
                    words.add("node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)");
                    break;
                }
                if (!reaches(volume.get(), node)) {
                    words.add("node(s) didn't match PersistentVolume's node affinity");
                    break;
                }
            }
        }
        List<PersistentVolumeClaim> provisions = new ArrayList<>();
        List<PersistentVolumeClaim> open = new ArrayList<>();
        for (PersistentVolumeClaim claim : claims(pod)) {
            if (!bound(claim)) {
                if (claim.state()
                        .selectedNode()
                        .filter(it -> !it.equals(node.name()))
                        .isPresent()) {
                    words.add("node(s) didn't find available persistent volumes to bind");
                    return words;
                }
                (claim.state().selectedNode().isPresent() ? provisions : open).add(claim);
            }
        }
        open.sort(Comparator.comparing(claim -> claim.spec().size().orElse(Quantity.ZERO)));
        Set<String> chosen = new HashSet<>();
        for (PersistentVolumeClaim claim : open) {
            Optional<PersistentVolume> match = match(claim, node, chosen);
            match.ifPresent(volume -> chosen.add(volume.name()));
            if (match.isEmpty()) {
                provisions.add(claim);
            }
        }
        for (PersistentVolumeClaim claim : provisions) {
            StorageClass storageClass = storageClass(claim).orElseThrow();
            if (storageClass.provisioner().equals("kubernetes.io/no-provisioner")
                    || (!storageClass.allowedTopologies().isEmpty()
                            && storageClass.allowedTopologies().stream().noneMatch(term -> term.matches(node)))) {
                words.add("node(s) didn't find available persistent volumes to bind");
                break;
            }
            if (!enough(claim, storageClass, node)) {
                words.add("node(s) did not have enough free storage");
                break;
            }
        }
        return words;
    }

    private Optional<PersistentVolume> match(PersistentVolumeClaim claim, Node node, Set<String> excluded) {
        Optional<PersistentVolume> smallest = Optional.empty();
        List<PersistentVolume> volumes = new ArrayList<>(all(PersistentVolume.class));
        volumes.sort(Comparator.comparing(PersistentVolume::name));
        for (PersistentVolume volume : volumes) {
            boolean mine =
                    volume.state().claimRef().filter(ref -> ref.refersTo(claim)).isPresent();
            if (!volume.spec().storageClass().equals(claim.spec().storageClass())
                    || excluded.contains(volume.name())
                    || (volume.state().claimRef().isPresent() && !mine)
                    || volume.spec().capacity().compareTo(claim.spec().size().orElse(Quantity.ZERO)) < 0
                    || !volume.spec().volumeMode().equals(claim.spec().volumeMode())
                    || !volume.spec()
                            .volumeAttributesClass()
                            .equals(claim.spec().volumeAttributesClass())
                    || volume.state().terminating()) {
                continue;
            }
            if (mine) {
                return reaches(volume, node) ? Optional.of(volume) : Optional.empty();
            }
            if (!volume.state().available()
                    || claim.spec()
                            .selector()
                            .filter(it -> !it.matches(volume.labels()))
                            .isPresent()
                    || !reaches(volume, node)
                    || !volume.spec().accessModes().containsAll(claim.spec().accessModes())) {
                continue;
            }
            if (smallest.isEmpty()
                    || smallest.get().spec().capacity().compareTo(volume.spec().capacity()) > 0) {
                smallest = Optional.of(volume);
            }
        }
        return smallest;
    }

    private boolean enough(PersistentVolumeClaim claim, StorageClass storageClass, Node node) {
        boolean checked = claim.spec().size().isPresent()
                && all(CsiDriver.class).stream()
                        .anyMatch(
                                driver -> driver.name().equals(storageClass.provisioner()) && driver.reportsCapacity());
        return !checked
                || all(CsiStorageCapacity.class).stream()
                        .anyMatch(capacity -> capacity.storageClass().equals(storageClass.name())
                                && capacity.maximumVolumeSize()
                                        .filter(it -> it
                                                >= claim.spec()
                                                        .size()
                                                        .orElseThrow()
                                                        .toUnits())
                                        .isPresent()
                                && capacity.nodeTopology()
                                        .filter(selector -> selector.matches(node.labels()))
                                        .isPresent());
    }

    private boolean zones(Pod pod, Node node) {
        Labels labels = node.labels();
        List<String> keys = List.of("topology.kubernetes.io/zone", "topology.kubernetes.io/region");
        if (keys.stream().noneMatch(labels::has)) {
            return true;
        }
        for (PodVolumes.PersistentVolumeClaimRef persistentVolumeClaimRef :
                pod.volumes().persistentVolumeClaims()) {
            Optional<PersistentVolume> volume = persistentVolumeClaimRef.ephemeral()
                    ? Optional.empty()
                    : volume(claim(pod, persistentVolumeClaimRef)
                            .orElseThrow()
                            .state()
                            .volumeName());
            for (String key : keys) {
                Optional<String> demanded = volume.flatMap(it -> it.labels().get(key));
                if (demanded.isPresent()
                        && !List.of(demanded.get().split("__"))
                                .contains(labels.get(key).orElse("nowhere"))) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean reaches(PersistentVolume volume, Node node) {
        return volume.reachability().nodeTerms().isEmpty()
                || volume.reachability().nodeTerms().get().stream().anyMatch(term -> term.matches(node));
    }

    private static boolean bound(PersistentVolumeClaim claim) {
        return !claim.state().volumeName().isEmpty() && claim.state().bindCompleted();
    }

    private boolean delayed(PersistentVolumeClaim claim) {
        return claim.state().volumeName().isEmpty()
                && storageClass(claim)
                        .filter(StorageClass::waitsForFirstConsumer)
                        .isPresent();
    }

    private List<PersistentVolumeClaim> claims(Pod pod) {
        return pod.volumes().persistentVolumeClaims().stream()
                .map(persistentVolumeClaimRef ->
                        claim(pod, persistentVolumeClaimRef).orElseThrow())
                .distinct()
                .toList();
    }

    private Optional<PersistentVolumeClaim> claim(
            Pod pod, PodVolumes.PersistentVolumeClaimRef persistentVolumeClaimRef) {
        return all(PersistentVolumeClaim.class).stream()
                .filter(claim -> claim.key().namespace().equals(pod.namespace())
                        && claim.key().name().equals(persistentVolumeClaimRef.name()))
                .findFirst();
    }

    private Optional<PersistentVolume> volume(String name) {
        return all(PersistentVolume.class).stream()
                .filter(volume -> volume.name().equals(name))
                .findFirst();
    }

    private Optional<StorageClass> storageClass(PersistentVolumeClaim claim) {
        return all(StorageClass.class).stream()
                .filter(it -> it.name().equals(claim.spec().storageClass()))
                .findFirst();
    }

    private <T> List<T> all(Class<T> kind) {
        return objects.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
