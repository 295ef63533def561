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
        String name, String uid, String version, Labels labels, Spec spec, Reachability reachability, State state)
        implements StorageObject {

    /**
     * What it offers to claims.
     *
     * @param storageClass empty for a volume of no class
     * @param volumeAttributesClass empty for none
     */
    public record Spec(
            String storageClass,
            Quantity capacity,
            Set<String> accessModes,
            String volumeMode,
            String volumeAttributesClass) {
        public Spec {
            accessModes = Set.copyOf(accessModes);
        }
    }

    /**
     * From where it can be reached, and by which driver.
     *
     * @param nodeTerms terms of which a node must meet one; empty means every node
     * @param csiVolume what its driver knows it by, where it has one
     * @param migration what becomes of it where the driver that succeeds its plugin is in charge
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

    /** A volume as a driver knows it. */
    public record CsiVolume(String driver, String handle) {}

    /** A volume of a plugin that a driver has succeeded: as the driver knows it, and from where it is reached then. */
    public record CsiMigration(InTreePlugin plugin, CsiVolume csiVolume, Optional<List<NodeSelectorTerm>> nodeTerms) {
        public CsiMigration {
            nodeTerms = nodeTerms.map(List::copyOf);
        }
    }

    /**
     * How far it has come.
     *
     * @param claimRef whom it is bound to, or is to be
     * @param boundByController whether it is said to have been bound by a controller and not by a person
     * @param available whether it waits for a claim
     */
    public record State(
            Optional<ClaimRef> claimRef, boolean boundByController, boolean available, boolean terminating) {}

    /**
     * The claim that a volume is for.
     *
     * @param uid empty where a person reserved the volume for whatever claim has this name
     */
    public record ClaimRef(PersistentVolumeClaimKey key, String uid) {
        /** Whether the claim is meant. */
        public boolean refersTo(PersistentVolumeClaim claim) {
            return key.equals(claim.key()) && (uid.isEmpty() || uid.equals(claim.uid()));
        }
    }

    /** Whether the node can reach it. */
    public boolean isReachableFrom(Node node) {
        return matches(reachability.nodeTerms, node);
    }

    /** The same where the node may have a driver in place of the volume's plugin. */
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
