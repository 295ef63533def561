package dev.berth.core.volume;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.resource.Quantity;
import java.util.Optional;
import java.util.Set;

/**
 * A claim in words: {@code aClaim("data").of("local").asking("10Gi").build()}. Its UID is its name unless said otherwise;
 * it asks for 1Gi that one node may read and write, and is of no class.
 */
public final class ClaimBuilder {
    private final ClaimKey key;
    private String uid;
    private String version = "1";
    private String storageClass = "";
    private Optional<Quantity> size = Optional.of(Quantity.parse("1Gi"));
    private Set<String> accessModes = Set.of("ReadWriteOnce");
    private Optional<LabelSelector> selector = Optional.empty();
    private String mode = VolumeClaim.FILESYSTEM;
    private String attributesClass = "";
    private String volume = "";
    private boolean bindCompleted;
    private Optional<String> selectedNode = Optional.empty();
    private boolean lost;
    private boolean deleting;
    private Optional<String> owner = Optional.empty();

    private ClaimBuilder(ClaimKey key) {
        this.key = key;
        this.uid = "claim-" + key.name();
    }

    /** In namespace {@code default} unless the name has one. */
    public static ClaimBuilder aClaim(String name) {
        int slash = name.indexOf('/');
        return new ClaimBuilder(
                slash < 0
                        ? new ClaimKey("default", name)
                        : new ClaimKey(name.substring(0, slash), name.substring(slash + 1)));
    }

    public ClaimBuilder uid(String value) {
        uid = value;
        return this;
    }

    public ClaimBuilder version(String value) {
        version = value;
        return this;
    }

    public ClaimBuilder of(String value) {
        storageClass = value;
        return this;
    }

    public ClaimBuilder asking(String value) {
        size = Optional.of(Quantity.parse(value));
        return this;
    }

    public ClaimBuilder askingForNoSize() {
        size = Optional.empty();
        return this;
    }

    public ClaimBuilder inModes(String... values) {
        accessModes = Set.of(values);
        return this;
    }

    public ClaimBuilder selecting(String label, String value) {
        selector = Optional.of(LabelSelector.of(Labels.of(label, value)));
        return this;
    }

    public ClaimBuilder asBlock() {
        mode = "Block";
        return this;
    }

    public ClaimBuilder ofAttributes(String value) {
        attributesClass = value;
        return this;
    }

    /** A volume that somebody named, while nobody has bound the two yet. */
    public ClaimBuilder naming(String value) {
        volume = value;
        return this;
    }

    public ClaimBuilder boundTo(String value) {
        volume = value;
        bindCompleted = true;
        return this;
    }

    public ClaimBuilder selectedFor(String node) {
        selectedNode = Optional.of(node);
        return this;
    }

    public ClaimBuilder lost() {
        lost = true;
        return this;
    }

    public ClaimBuilder deleting() {
        deleting = true;
        return this;
    }

    public ClaimBuilder ownedBy(String podUid) {
        owner = Optional.of(podUid);
        return this;
    }

    public VolumeClaim build() {
        return new VolumeClaim(
                key,
                uid,
                version,
                new VolumeClaim.Ask(storageClass, size, accessModes, selector, mode, attributesClass),
                new VolumeClaim.State(volume, bindCompleted, selectedNode, lost, deleting, owner));
    }
}
