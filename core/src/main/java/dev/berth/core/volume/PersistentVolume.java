package dev.berth.core.volume;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeTerm;
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
        String name, String uid, String version, Labels labels, Offer offer, Reach reach, State state)
        implements StorageObject {

    /**
     * What it offers to claims.
     *
     * @param storageClass empty for a volume of no class
     * @param attributesClass empty for none
     */
    public record Offer(
            String storageClass, Quantity capacity, Set<String> accessModes, String mode, String attributesClass) {
        public Offer {
            accessModes = Set.copyOf(accessModes);
        }
    }

    /**
     * From where it can be reached, and by which driver.
     *
     * @param nodes terms of which a node must meet one; empty means every node
     * @param csi what its driver knows it by, where it has one
     * @param migration what becomes of it where the driver that succeeds its plugin is in charge
     */
    public record Reach(Optional<List<NodeTerm>> nodes, Optional<Csi> csi, Optional<Migration> migration) {
        public static final Reach EVERYWHERE = new Reach(Optional.empty(), Optional.empty(), Optional.empty());

        public Reach {
            nodes = nodes.map(List::copyOf);
        }
    }

    /** A volume as a driver knows it. */
    public record Csi(String driver, String handle) {}

    /** A volume of a plugin that a driver has succeeded: as the driver knows it, and from where it is reached then. */
    public record Migration(InTreePlugin plugin, Csi csi, Optional<List<NodeTerm>> nodes) {
        public Migration {
            nodes = nodes.map(List::copyOf);
        }
    }

    /**
     * How far it has come.
     *
     * @param claim whom it is bound to, or is to be
     * @param boundByController whether it is said to have been bound by a controller and not by a person
     * @param available whether it waits for a claim
     */
    public record State(Optional<ClaimRef> claim, boolean boundByController, boolean available, boolean deleting) {}

    /**
     * The claim that a volume is for.
     *
     * @param uid empty where a person reserved the volume for whatever claim has this name
     */
    public record ClaimRef(ClaimKey key, String uid) {
        /** Whether the claim is meant. */
        public boolean means(VolumeClaim claim) {
            return key.equals(claim.key()) && (uid.isEmpty() || uid.equals(claim.uid()));
        }
    }

    /** Whether the node can reach it. */
    public boolean reachableFrom(Node node) {
        return matches(reach.nodes, node);
    }

    /** The same where the node may have a driver in place of the volume's plugin. */
    public boolean reachableFrom(Node node, Optional<CsiNode> drivers) {
        Optional<Migration> migrated = reach.migration.filter(
                migration -> drivers.filter(it -> it.migrated().contains(migration.plugin.plugin()))
                        .isPresent());
        return matches(migrated.isPresent() ? migrated.get().nodes : reach.nodes, node);
    }

    private static boolean matches(Optional<List<NodeTerm>> terms, Node node) {
        return terms.isEmpty() || terms.get().stream().anyMatch(term -> term.matches(node));
    }

    @Override
    public String toString() {
        return name;
    }
}
