package dev.berth.core.volumebinding;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.resource.Quantity;
import java.util.Optional;
import java.util.Set;

/**
 * Builds a claim: {@code aClaim("data").of("local").asking("10Gi").build()}. By default its UID is its name, it
 * requests 1Gi and ReadWriteOnce, and has no class.
 */
public final class PersistentVolumeClaimBuilder {
    private final PersistentVolumeClaimKey key;
    private String uid;
    private String version = "1";
    private String storageClass = "";
    private Optional<Quantity> size = Optional.of(Quantity.parse("1Gi"));
    private Set<String> accessModes = Set.of("ReadWriteOnce");
    private Optional<LabelSelector> selector = Optional.empty();
    private String mode = PersistentVolumeClaim.FILESYSTEM;
    private String attributesClass = "";
    private String volume = "";
    private boolean bindCompleted;
    private Optional<String> selectedNode = Optional.empty();
    private boolean lost;
    private boolean deleting;
    private Optional<String> owner = Optional.empty();

    private PersistentVolumeClaimBuilder(PersistentVolumeClaimKey key) {
        this.key = key;
        this.uid = "claim-" + key.name();
    }

    /** In namespace {@code default} unless the name has one. */
    public static PersistentVolumeClaimBuilder aClaim(String name) {
        int slash = name.indexOf('/');
        return new PersistentVolumeClaimBuilder(
                slash < 0
                        ? new PersistentVolumeClaimKey("default", name)
                        : new PersistentVolumeClaimKey(name.substring(0, slash), name.substring(slash + 1)));
    }

    public PersistentVolumeClaimBuilder uid(String value) {
        uid = value;
        return this;
    }

    public PersistentVolumeClaimBuilder version(String value) {
        version = value;
        return this;
    }

    public PersistentVolumeClaimBuilder ofClass(String value) {
        storageClass = value;
        return this;
    }

    public PersistentVolumeClaimBuilder asking(String value) {
        size = Optional.of(Quantity.parse(value));
        return this;
    }

    public PersistentVolumeClaimBuilder askingForNoSize() {
        size = Optional.empty();
        return this;
    }

    public PersistentVolumeClaimBuilder withAccessModes(String... values) {
        accessModes = Set.of(values);
        return this;
    }

    public PersistentVolumeClaimBuilder selecting(String label, String value) {
        selector = Optional.of(LabelSelector.of(Labels.of(label, value)));
        return this;
    }

    public PersistentVolumeClaimBuilder asBlock() {
        mode = "Block";
        return this;
    }

    public PersistentVolumeClaimBuilder ofAttributes(String value) {
        attributesClass = value;
        return this;
    }

    /** Names a volume that is not bound to the claim yet. */
    public PersistentVolumeClaimBuilder withVolumeName(String value) {
        volume = value;
        return this;
    }

    public PersistentVolumeClaimBuilder boundTo(String value) {
        volume = value;
        bindCompleted = true;
        return this;
    }

    public PersistentVolumeClaimBuilder withSelectedNode(String node) {
        selectedNode = Optional.of(node);
        return this;
    }

    public PersistentVolumeClaimBuilder lost() {
        lost = true;
        return this;
    }

    public PersistentVolumeClaimBuilder deleting() {
        deleting = true;
        return this;
    }

    public PersistentVolumeClaimBuilder ownedBy(String podUid) {
        owner = Optional.of(podUid);
        return this;
    }

    public PersistentVolumeClaim build() {
        return new PersistentVolumeClaim(
                key,
                uid,
                version,
                new PersistentVolumeClaim.ClaimSpec(storageClass, size, accessModes, selector, mode, attributesClass),
                new PersistentVolumeClaim.ClaimState(volume, bindCompleted, selectedNode, lost, deleting, owner));
    }
}
