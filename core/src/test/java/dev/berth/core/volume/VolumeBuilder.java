package dev.berth.core.volume;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.resource.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A volume in words: {@code aVolume("disk-1").of("local").sized("10Gi").on("n1").build()}. Its UID is its name unless said
 * otherwise; it has 1Gi that one node may read and write, is of no class, free, and reached from everywhere.
 */
public final class VolumeBuilder {
    private final String name;
    private String uid;
    private String version = "1";
    private Labels labels = Labels.NONE;
    private String storageClass = "";
    private Quantity capacity = Quantity.parse("1Gi");
    private Set<String> accessModes = Set.of("ReadWriteOnce");
    private String mode = VolumeClaim.FILESYSTEM;
    private String attributesClass = "";
    private final List<NodeTerm> terms = new ArrayList<>();
    private Optional<PersistentVolume.Csi> csi = Optional.empty();
    private Optional<PersistentVolume.Migration> migration = Optional.empty();
    private Optional<PersistentVolume.ClaimRef> claim = Optional.empty();
    private boolean boundByController;
    private boolean available = true;
    private boolean deleting;

    private VolumeBuilder(String name) {
        this.name = name;
        this.uid = "volume-" + name;
    }

    public static VolumeBuilder aVolume(String name) {
        return new VolumeBuilder(name);
    }

    public VolumeBuilder uid(String value) {
        uid = value;
        return this;
    }

    public VolumeBuilder version(String value) {
        version = value;
        return this;
    }

    public VolumeBuilder labelled(String key, String value) {
        labels = labels.with(key, value);
        return this;
    }

    public VolumeBuilder of(String value) {
        storageClass = value;
        return this;
    }

    public VolumeBuilder sized(String value) {
        capacity = Quantity.parse(value);
        return this;
    }

    public VolumeBuilder inModes(String... values) {
        accessModes = Set.of(values);
        return this;
    }

    public VolumeBuilder asBlock() {
        mode = "Block";
        return this;
    }

    public VolumeBuilder ofAttributes(String value) {
        attributesClass = value;
        return this;
    }

    /** Only from the nodes with these hostnames. */
    public VolumeBuilder on(String... hosts) {
        return where(Node.HOSTNAME_LABEL, hosts);
    }

    /** From nodes whose label has one of the values; said again, from those besides. */
    public VolumeBuilder where(String label, String... values) {
        terms.add(term(label, values));
        return this;
    }

    public static NodeTerm term(String label, String... values) {
        return new NodeTerm(List.of(new Requirement(label, Requirement.Operator.IN, List.of(values))), List.of());
    }

    public VolumeBuilder by(String driver) {
        csi = Optional.of(new PersistentVolume.Csi(driver, name + "-handle"));
        return this;
    }

    /** Of a plugin that a driver has succeeded, which reaches it from nodes with this label. */
    public VolumeBuilder succeeding(InTreePlugin plugin, String label, String... values) {
        migration = Optional.of(new PersistentVolume.Migration(
                plugin,
                new PersistentVolume.Csi(plugin.driver(), name + "-handle"),
                Optional.of(List.of(term(label, values)))));
        return this;
    }

    /** Meant for whatever claim of this name comes. */
    public VolumeBuilder reservedFor(String claimName) {
        claim = Optional.of(new PersistentVolume.ClaimRef(
                ClaimBuilder.aClaim(claimName).build().key(), ""));
        return this;
    }

    public VolumeBuilder boundTo(VolumeClaim bound) {
        claim = Optional.of(bound.ref());
        available = false;
        return this;
    }

    public VolumeBuilder boundByController() {
        boundByController = true;
        return this;
    }

    public VolumeBuilder unavailable() {
        available = false;
        return this;
    }

    public VolumeBuilder deleting() {
        deleting = true;
        return this;
    }

    public PersistentVolume build() {
        return new PersistentVolume(
                name,
                uid,
                version,
                labels,
                new PersistentVolume.Offer(storageClass, capacity, accessModes, mode, attributesClass),
                new PersistentVolume.Reach(terms.isEmpty() ? Optional.empty() : Optional.of(terms), csi, migration),
                new PersistentVolume.State(claim, boundByController, available, deleting));
    }
}
