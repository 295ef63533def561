package dev.berth.core.cluster;

import java.util.List;

/**
 * The volumes of a pod that restrict its nodes, that other pods must not use at the same time, or that count against a node's
 * limit. Most pods have none.
 *
 * @param persistentVolumeClaims the claims that it mounts, in the order of its spec
 * @param disks the disks that it names without a claim, in the same order
 * @param templateClasses the storage classes of the ephemeral volumes of a pod template. No claim is created for a template, so
 *     these volumes only count against a node's limit. Always empty for a pod, whose ephemeral volumes are claims
 */
public record PodVolumes(
        List<PersistentVolumeClaimRef> persistentVolumeClaims, List<Disk> disks, List<String> templateClasses) {
    public static final PodVolumes NONE = new PodVolumes(List.of(), List.of());

    public PodVolumes {
        persistentVolumeClaims = List.copyOf(persistentVolumeClaims);
        disks = List.copyOf(disks);
        templateClasses = List.copyOf(templateClasses);
    }

    /** The volumes of a pod. */
    public PodVolumes(List<PersistentVolumeClaimRef> persistentVolumeClaims, List<Disk> disks) {
        this(persistentVolumeClaims, disks, List.of());
    }

    public boolean isEmpty() {
        return persistentVolumeClaims.isEmpty() && disks.isEmpty() && templateClasses.isEmpty();
    }

    /**
     * A claim in the pod's namespace.
     *
     * @param ephemeral whether it is created for this pod and deleted with it
     */
    public record PersistentVolumeClaimRef(String name, boolean ephemeral) {}

    /** The kinds of disks that a pod can name without a claim and that a filter of kube-scheduler checks. */
    public enum DiskKind {
        GCE_PD,
        AWS_EBS,
        ISCSI,
        RBD,
        CINDER,
        AZURE_DISK,
        PORTWORX
    }

    /**
     * A disk that is named in the pod itself.
     *
     * @param id the identifier of the disk, which depends on the kind
     * @param monitors the monitors of an RBD image: two images are the same only if they share one; empty for other kinds
     */
    public record Disk(DiskKind kind, String id, List<String> monitors, boolean readOnly) {
        public Disk {
            monitors = List.copyOf(monitors);
        }

        /** Whether one node must not have both mounted. */
        public boolean conflictsWith(Disk other) {
            return kind == other.kind && id.equals(other.id) && conflictsByKind(other);
        }

        private boolean conflictsByKind(Disk other) {
            return switch (kind) {
                case AWS_EBS -> true;
                case GCE_PD, ISCSI -> !(readOnly && other.readOnly);
                case RBD -> !(readOnly && other.readOnly) && monitors.stream().anyMatch(other.monitors::contains);
                case CINDER, AZURE_DISK, PORTWORX -> false;
            };
        }
    }
}
