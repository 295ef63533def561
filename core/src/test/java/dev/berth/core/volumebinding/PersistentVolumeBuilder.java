package dev.berth.core.volumebinding;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.resource.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Builds a volume: {@code aVolume("disk-1").of("local").sized("10Gi").on("n1").build()}. By default its UID is its
 * name, it has 1Gi and ReadWriteOnce, no class, is available, and reachable from every node.
 */
public final class PersistentVolumeBuilder {
    private final String name;
    private String uid;
    private String version = "1";
    private Labels labels = Labels.NONE;
    private String storageClass = "";
    private Quantity capacity = Quantity.parse("1Gi");
    private Set<String> accessModes = Set.of("ReadWriteOnce");
    private String mode = PersistentVolumeClaim.FILESYSTEM;
    private String attributesClass = "";
    private final List<NodeSelectorTerm> terms = new ArrayList<>();
    private Optional<PersistentVolume.CsiVolume> csiVolume = Optional.empty();
    private Optional<PersistentVolume.CsiMigration> migration = Optional.empty();
    private Optional<PersistentVolume.ClaimRef> claim = Optional.empty();
    private boolean boundByController;
    private boolean available = true;
    private boolean deleting;

    private PersistentVolumeBuilder(String name) {
        this.name = name;
        this.uid = "volume-" + name;
    }

    public static PersistentVolumeBuilder aVolume(String name) {
        return new PersistentVolumeBuilder(name);
    }

    public PersistentVolumeBuilder uid(String value) {
        uid = value;
        return this;
    }

    public PersistentVolumeBuilder version(String value) {
        version = value;
        return this;
    }

    public PersistentVolumeBuilder labelled(String key, String value) {
        labels = labels.with(key, value);
        return this;
    }

    public PersistentVolumeBuilder ofClass(String value) {
        storageClass = value;
        return this;
    }

    public PersistentVolumeBuilder sized(String value) {
        capacity = Quantity.parse(value);
        return this;
    }

    public PersistentVolumeBuilder withAccessModes(String... values) {
        accessModes = Set.of(values);
        return this;
    }

    public PersistentVolumeBuilder asBlock() {
        mode = "Block";
        return this;
    }

    public PersistentVolumeBuilder ofAttributes(String value) {
        attributesClass = value;
        return this;
    }

    /** Only from the nodes with these hostnames. */
    public PersistentVolumeBuilder on(String... hosts) {
        return where(Node.HOSTNAME_LABEL, hosts);
    }

    /** Reachable from nodes whose label has one of the values; a second call adds more. */
    public PersistentVolumeBuilder where(String label, String... values) {
        terms.add(term(label, values));
        return this;
    }

    public static NodeSelectorTerm term(String label, String... values) {
        return new NodeSelectorTerm(
                List.of(new Requirement(label, Requirement.Operator.IN, List.of(values))), List.of());
    }

    public PersistentVolumeBuilder ofDriver(String driver) {
        csiVolume = Optional.of(new PersistentVolume.CsiVolume(driver, name + "-handle"));
        return this;
    }

    /** Of a plugin that a driver has succeeded, which reaches it from nodes with this label. */
    public PersistentVolumeBuilder migratedFrom(InTreePlugin plugin, String label, String... values) {
        migration = Optional.of(new PersistentVolume.CsiMigration(
                plugin,
                new PersistentVolume.CsiVolume(plugin.driverName(), name + "-handle"),
                Optional.of(List.of(term(label, values)))));
        return this;
    }

    /** Reserved for any claim of this name. */
    public PersistentVolumeBuilder reservedFor(String claimName) {
        claim = Optional.of(new PersistentVolume.ClaimRef(
                PersistentVolumeClaimBuilder.aClaim(claimName).build().key(), ""));
        return this;
    }

    public PersistentVolumeBuilder boundTo(PersistentVolumeClaim bound) {
        claim = Optional.of(bound.toClaimRef());
        available = false;
        return this;
    }

    public PersistentVolumeBuilder boundByController() {
        boundByController = true;
        return this;
    }

    public PersistentVolumeBuilder unavailable() {
        available = false;
        return this;
    }

    public PersistentVolumeBuilder deleting() {
        deleting = true;
        return this;
    }

    public PersistentVolume build() {
        return new PersistentVolume(
                name,
                uid,
                version,
                labels,
                new PersistentVolume.VolumeSpec(storageClass, capacity, accessModes, mode, attributesClass),
                new PersistentVolume.Reachability(
                        terms.isEmpty() ? Optional.empty() : Optional.of(terms), csiVolume, migration),
                new PersistentVolume.VolumeState(claim, boundByController, available, deleting));
    }
}
