package dev.berth.core.placement.table;

import dev.berth.core.cluster.Image;
import dev.berth.core.cluster.Node;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Knows which nodes have which images. */
final class ImageIndex {
    private final Map<String, ImageLocations> byName = new HashMap<>();
    private long version;

    /** The nodes that have an image of one name. Its size is nearly always the same on all of them. */
    static final class ImageLocations {
        private final BitSet slots = new BitSet();
        private final Map<Integer, Long> deviatingSizes = new HashMap<>(0);
        private long bytes;
        private int count;

        int count() {
            return count;
        }

        BitSet slots() {
            return slots;
        }

        long bytesAt(int slot) {
            return deviatingSizes.isEmpty() ? bytes : deviatingSizes.getOrDefault(slot, bytes);
        }

        private void add(int slot, long size) {
            if (slots.get(slot)) {
                return;
            }
            if (count == 0) {
                bytes = size;
            }
            slots.set(slot);
            count++;
            if (size != bytes) {
                deviatingSizes.put(slot, size);
            }
        }

        private void remove(int slot) {
            if (slots.get(slot)) {
                slots.clear(slot);
                deviatingSizes.remove(slot);
                count--;
            }
        }
    }

    Optional<ImageLocations> find(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** Grows whenever an image is added to or removed from a node. */
    long version() {
        return version;
    }

    void nodeCountChanged() {
        version++;
    }

    void replace(int slot, Optional<Node> before, Optional<Node> after) {
        List<Image> old = before.map(Node::images).orElse(List.of());
        List<Image> now = after.map(Node::images).orElse(List.of());
        if (old == now || old.equals(now)) {
            return;
        }
        version++;
        old.forEach(image -> image.names().forEach(name -> remove(slot, name)));
        now.forEach(image -> image.names()
                .forEach(name -> byName.computeIfAbsent(name, unknown -> new ImageLocations())
                        .add(slot, image.bytes())));
    }

    private void remove(int slot, String name) {
        ImageLocations imageLocations = byName.get(name);
        if (imageLocations != null) {
            imageLocations.remove(slot);
            if (imageLocations.count == 0) {
                byName.remove(name);
            }
        }
    }
}
