package dev.berth.core.volumebinding;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.resource.Quantity;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A PersistentVolume.
 *
 * @param version of the object, a precondition of every write
 */
public record PersistentVolume(
        String name,
        String uid,
        String version,
        Labels labels,
        VolumeSpec spec,
        Reachability reachability,
        VolumeState state)
        implements StorageObject {

    /**
     * The properties that claims are matched with.
     *
     * @param storageClass empty for a volume without a class
     * @param volumeAttributesClass empty for none
     */
    public record VolumeSpec(
            String storageClass,
            Quantity capacity,
            Set<String> accessModes,
            String volumeMode,
            String volumeAttributesClass) {
        public VolumeSpec {
            accessModes = Set.copyOf(accessModes);
        }
    }

    /**
     * The nodes that can reach the volume, and its driver.
     *
     * @param nodeTerms node selector terms of which one must match; empty means every node
     * @param csiVolume the identity of the volume for its CSI driver, if it has one
     * @param migration the volume after CSI migration, for an in-tree plugin
     */
    public record Reachability(
            Optional<List<NodeSelectorTerm>> nodeTerms,
            Optional<CsiVolume> csiVolume,
            Optional<CsiMigration> migration) {
        public static final Reachability EVERYWHERE =
                new Reachability(Optional.empty(), Optional.empty(), Optional.empty());

        public Reachability {
            nodeTerms = nodeTerms.map(List::copyOf);
        }
    }

    /** The identity of a volume for its CSI driver. */
    public record CsiVolume(String driver, String handle) {}

    /**
     * A volume of an in-tree plugin after CSI migration: its identity for the driver, and the nodes that can reach it.
     */
    public record CsiMigration(InTreePlugin plugin, CsiVolume csiVolume, Optional<List<NodeSelectorTerm>> nodeTerms) {
        public CsiMigration {
            nodeTerms = nodeTerms.map(List::copyOf);
        }
    }

    /**
     * The binding of the volume.
     *
     * @param claimRef the claim that it is bound to, or reserved for
     * @param boundByController whether the annotation says that a controller bound it, and not a user
     * @param available whether its phase is Available
     */
    public record VolumeState(
            Optional<ClaimRef> claimRef, boolean boundByController, boolean available, boolean terminating) {}

    /**
     * The claim of a volume.
     *
     * @param uid empty if a user reserved the volume for any claim of this name
     */
    public record ClaimRef(PersistentVolumeClaimKey key, String uid) {
        /** Whether it refers to this claim. */
        public boolean refersTo(PersistentVolumeClaim claim) {
            return key.equals(claim.key()) && (uid.isEmpty() || uid.equals(claim.uid()));
        }
    }

    /** Whether the node can reach it. */
    public boolean isReachableFrom(Node node) {
        return matches(reachability.nodeTerms, node);
    }

    /** The same with CSI migration, if the node's driver replaces the volume's plugin. */
    public boolean isReachableFrom(Node node, Optional<CsiNode> drivers) {
        Optional<CsiMigration> migrated = reachability.migration.filter(
                migration -> drivers.filter(it -> it.migratedPlugins().contains(migration.plugin.pluginName()))
                        .isPresent());
        return matches(migrated.isPresent() ? migrated.get().nodeTerms : reachability.nodeTerms, node);
    }

    private static boolean matches(Optional<List<NodeSelectorTerm>> terms, Node node) {
        return terms.isEmpty() || terms.get().stream().anyMatch(term -> term.matches(node));
    }

    @Override
    public String toString() {
        return name;
    }
}
