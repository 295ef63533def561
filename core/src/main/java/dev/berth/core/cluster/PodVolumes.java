package dev.berth.core.cluster;

import java.util.List;

/**
 * The volumes of a pod that bind it to some nodes, that others must not use at the same time, or that count against a
 * node's limit. Most pods have none.
 *
 * @param claims the claims that it mounts, in the order of its specification
 * @param disks the disks that it names without a claim, in the same order
 */
public record PodVolumes(List<Claimed> claims, List<Disk> disks) {
    public static final PodVolumes NONE = new PodVolumes(List.of(), List.of());

    public PodVolumes {
        claims = List.copyOf(claims);
        disks = List.copyOf(disks);
    }

    public boolean isEmpty() {
        return claims.isEmpty() && disks.isEmpty();
    }

    /**
     * A claim in the pod's namespace.
     *
     * @param ephemeral whether it is made for this very pod and goes with it
     */
    public record Claimed(String name, boolean ephemeral) {}

    /** The kinds of disks that a pod may name without a claim and that somebody counts. */
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
     * A disk named in the pod itself.
     *
     * @param id what the kind knows it by
     * @param monitors where an RBD image is to be found: two are the same only if they share one; else empty
     */
    public record Disk(DiskKind kind, String id, List<String> monitors, boolean readOnly) {
        public Disk {
            monitors = List.copyOf(monitors);
        }

        /** Whether one node must not have both mounted. */
        public boolean conflictsWith(Disk other) {
            return kind == other.kind && id.equals(other.id) && sameElsewhere(other);
        }

        private boolean sameElsewhere(Disk other) {
            return switch (kind) {
                case AWS_EBS -> true;
                case GCE_PD, ISCSI -> !(readOnly && other.readOnly);
                case RBD -> !(readOnly && other.readOnly) && monitors.stream().anyMatch(other.monitors::contains);
                case CINDER, AZURE_DISK, PORTWORX -> false;
            };
        }
    }
}
