package dev.berth.core.volume.filter;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.Quantity;
import dev.berth.core.volume.Attachment;
import dev.berth.core.volume.CsiDriver;
import dev.berth.core.volume.CsiNode;
import dev.berth.core.volume.PersistentVolume;
import dev.berth.core.volume.StorageCapacity;
import dev.berth.core.volume.StorageClass;
import dev.berth.core.volume.StorageObject;
import dev.berth.core.volume.VolumeClaim;
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
final class SlowVolumes {
    private final LedgerView ledger;
    private final Collection<StorageObject> objects;
    private final Collection<Pod> pods;

    SlowVolumes(LedgerView ledger, Collection<StorageObject> objects, Collection<Pod> pods) {
        this.ledger = ledger;
        this.objects = objects;
        this.pods = pods;
    }

    /** What is said of the pod before any node is looked at. */
    Optional<String> beforehand(Pod pod) {
        for (PodVolumes.Claimed claimed : pod.volumes().claims()) {
            if (!claimed.ephemeral() && claim(pod, claimed).isEmpty()) {
                return Optional.of("persistentvolumeclaim \"%s\" not found".formatted(claimed.name()));
            }
        }
        for (PodVolumes.Claimed claimed : pod.volumes().claims()) {
            if (claim(pod, claimed).isEmpty()) {
                return Optional.of("waiting for ephemeral volume controller to create the persistentvolumeclaim \"%s\""
                        .formatted(claimed.name()));
            }
            VolumeClaim claim = claim(pod, claimed).get();
            if (claim.state().lost()) {
                return Optional.of("persistentvolumeclaim \"%s\" bound to non-existent persistentvolume \"%s\""
                        .formatted(claimed.name(), claim.state().volume()));
            }
            if (claim.state().deleting()) {
                return Optional.of("persistentvolumeclaim \"%s\" is being deleted".formatted(claimed.name()));
            }
            if (claimed.ephemeral()
                    && !claim.state().owner().equals(Optional.of(pod.uid().value()))) {
                return Optional.of("PVC %s was not created for pod %s (pod is not owner)".formatted(claim.key(), pod));
            }
        }
        for (VolumeClaim claim : claims(pod)) {
            if (!bound(claim) && !delayed(claim)) {
                return Optional.of("pod has unbound immediate PersistentVolumeClaims");
            }
        }
        for (PodVolumes.Claimed claimed : pod.volumes().claims()) {
            String volume = claim(pod, claimed).orElseThrow().state().volume();
            if (!claimed.ephemeral() && !volume.isEmpty() && volume(volume).isEmpty()) {
                return Optional.of("persistentvolume \"%s\" not found".formatted(volume));
            }
        }
        return Optional.empty();
    }

    /** What the node says, given that there is nothing beforehand. */
    Set<String> words(Pod pod, NodeState state) {
        if (diskConflict(pod, state)) {
            return Set.of("node(s) had no available disk");
        }
        if (readWriteOncePodConflict(pod)) {
            return Set.of("node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already"
                    + " in-use by another pod");
        }
        if (tooMany(pod, state)) {
            return Set.of("node(s) exceed max volume count");
        }
        Set<String> binding = binding(pod, state.node());
        if (!binding.isEmpty()) {
            return binding;
        }
        return zones(pod, state.node()) ? Set.of() : Set.of("node(s) had no available volume zone");
    }

    private boolean diskConflict(Pod pod, NodeState state) {
        for (PodVolumes.Disk mine : pod.volumes().disks()) {
            for (Pod there : state.pods()) {
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
        for (PodVolumes.Claimed claimed : pod.volumes().claims()) {
            if (claimed.ephemeral()
                    || !claim(pod, claimed).orElseThrow().ask().accessModes().contains("ReadWriteOncePod")) {
                continue;
            }
            for (Pod other : pods) {
                boolean placed = !other.phase().terminal()
                        && (other.nodeName().isPresent()
                                || ledger.assumption(other.uid()).isPresent());
                if (placed
                        && !other.uid().equals(pod.uid())
                        && other.namespace().equals(pod.namespace())
                        && other.volumes().claims().stream()
                                .anyMatch(it -> it.name().equals(claimed.name()))) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean tooMany(Pod pod, NodeState state) {
        Optional<CsiNode> csiNode = all(CsiNode.class).stream()
                .filter(node -> node.name().equals(state.node().name()))
                .findFirst();
        if (csiNode.isEmpty()) {
            return false;
        }
        Map<String, String> fresh = new HashMap<>();
        attachable(pod, fresh);
        Map<String, String> attached = new HashMap<>();
        state.pods().forEach(there -> attachable(there, attached));
        fresh.keySet().removeAll(attached.keySet());
        for (Attachment attachment : all(Attachment.class)) {
            if (attachment.node().equals(state.node().name())
                    && !attachment.attacher().isEmpty()
                    && attachment.volume().flatMap(this::volume).isPresent()) {
                volume(attachment.volume().orElseThrow())
                        .orElseThrow()
                        .reach()
                        .csi()
                        .ifPresent(
                                csi -> attached.put(attachment.attacher() + "/" + csi.handle(), attachment.attacher()));
            }
        }
        for (String driver : Set.copyOf(fresh.values())) {
            Long limit = csiNode.get().limits().get(driver);
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
        for (PodVolumes.Claimed claimed : pod.volumes().claims()) {
            Optional<VolumeClaim> claim = claim(pod, claimed);
            if (claim.isEmpty()
                    || (claimed.ephemeral()
                            && !claim.get()
                                    .state()
                                    .owner()
                                    .equals(Optional.of(pod.uid().value())))) {
                continue;
            }
            Optional<PersistentVolume> volume = volume(claim.get().state().volume());
            if (volume.isPresent()) {
                volume.get().reach().csi().ifPresent(csi -> into.put(csi.driver() + "/" + csi.handle(), csi.driver()));
            } else {
                storageClass(claim.get())
                        .ifPresent(it -> into.put(
                                it.provisioner() + "/unbound/" + claim.get().key(), it.provisioner()));
            }
        }
    }

    private Set<String> binding(Pod pod, Node node) {
        Set<String> words = new TreeSet<>();
        for (VolumeClaim claim : claims(pod)) {
            if (bound(claim)) {
                Optional<PersistentVolume> volume = volume(claim.state().volume());
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
        List<VolumeClaim> provisions = new ArrayList<>();
        List<VolumeClaim> open = new ArrayList<>();
        for (VolumeClaim claim : claims(pod)) {
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
        open.sort(Comparator.comparing(claim -> claim.ask().size().orElse(Quantity.ZERO)));
        Set<String> chosen = new HashSet<>();
        for (VolumeClaim claim : open) {
            Optional<PersistentVolume> match = match(claim, node, chosen);
            match.ifPresent(volume -> chosen.add(volume.name()));
            if (match.isEmpty()) {
                provisions.add(claim);
            }
        }
        for (VolumeClaim claim : provisions) {
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

    private Optional<PersistentVolume> match(VolumeClaim claim, Node node, Set<String> excluded) {
        Optional<PersistentVolume> smallest = Optional.empty();
        List<PersistentVolume> volumes = new ArrayList<>(all(PersistentVolume.class));
        volumes.sort(Comparator.comparing(PersistentVolume::name));
        for (PersistentVolume volume : volumes) {
            boolean mine =
                    volume.state().claim().filter(ref -> ref.means(claim)).isPresent();
            if (!volume.offer().storageClass().equals(claim.ask().storageClass())
                    || excluded.contains(volume.name())
                    || (volume.state().claim().isPresent() && !mine)
                    || volume.offer().capacity().compareTo(claim.ask().size().orElse(Quantity.ZERO)) < 0
                    || !volume.offer().mode().equals(claim.ask().mode())
                    || !volume.offer().attributesClass().equals(claim.ask().attributesClass())
                    || volume.state().deleting()) {
                continue;
            }
            if (mine) {
                return reaches(volume, node) ? Optional.of(volume) : Optional.empty();
            }
            if (!volume.state().available()
                    || claim.ask()
                            .selector()
                            .filter(it -> !it.matches(volume.labels()))
                            .isPresent()
                    || !reaches(volume, node)
                    || !volume.offer().accessModes().containsAll(claim.ask().accessModes())) {
                continue;
            }
            if (smallest.isEmpty()
                    || smallest.get()
                                    .offer()
                                    .capacity()
                                    .compareTo(volume.offer().capacity())
                            > 0) {
                smallest = Optional.of(volume);
            }
        }
        return smallest;
    }

    private boolean enough(VolumeClaim claim, StorageClass storageClass, Node node) {
        boolean checked = claim.ask().size().isPresent()
                && all(CsiDriver.class).stream()
                        .anyMatch(driver -> driver.name().equals(storageClass.provisioner()) && driver.tellsCapacity());
        return !checked
                || all(StorageCapacity.class).stream()
                        .anyMatch(capacity -> capacity.storageClass().equals(storageClass.name())
                                && capacity.largest()
                                        .filter(it -> it
                                                >= claim.ask()
                                                        .size()
                                                        .orElseThrow()
                                                        .toUnits())
                                        .isPresent()
                                && capacity.nodes()
                                        .filter(selector -> selector.matches(node.labels()))
                                        .isPresent());
    }

    private boolean zones(Pod pod, Node node) {
        Labels labels = node.labels();
        List<String> keys = List.of("topology.kubernetes.io/zone", "topology.kubernetes.io/region");
        if (keys.stream().noneMatch(labels::has)) {
            return true;
        }
        for (PodVolumes.Claimed claimed : pod.volumes().claims()) {
            Optional<PersistentVolume> volume = claimed.ephemeral()
                    ? Optional.empty()
                    : volume(claim(pod, claimed).orElseThrow().state().volume());
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
        return volume.reach().nodes().isEmpty()
                || volume.reach().nodes().get().stream().anyMatch(term -> term.matches(node));
    }

    private static boolean bound(VolumeClaim claim) {
        return !claim.state().volume().isEmpty() && claim.state().bindCompleted();
    }

    private boolean delayed(VolumeClaim claim) {
        return claim.state().volume().isEmpty()
                && storageClass(claim).filter(StorageClass::waits).isPresent();
    }

    private List<VolumeClaim> claims(Pod pod) {
        return pod.volumes().claims().stream()
                .map(claimed -> claim(pod, claimed).orElseThrow())
                .distinct()
                .toList();
    }

    private Optional<VolumeClaim> claim(Pod pod, PodVolumes.Claimed claimed) {
        return all(VolumeClaim.class).stream()
                .filter(claim -> claim.key().namespace().equals(pod.namespace())
                        && claim.key().name().equals(claimed.name()))
                .findFirst();
    }

    private Optional<PersistentVolume> volume(String name) {
        return all(PersistentVolume.class).stream()
                .filter(volume -> volume.name().equals(name))
                .findFirst();
    }

    private Optional<StorageClass> storageClass(VolumeClaim claim) {
        return all(StorageClass.class).stream()
                .filter(it -> it.name().equals(claim.ask().storageClass()))
                .findFirst();
    }

    private <T> List<T> all(Class<T> kind) {
        return objects.stream().filter(kind::isInstance).map(kind::cast).toList();
    }
}
