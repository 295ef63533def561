package dev.berth.core.placement.table;

import dev.berth.core.cluster.Image;
import dev.berth.core.cluster.Node;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which images lie on which nodes. */
final class Images {
    private final Map<String, Spots> byName = new HashMap<>();
    private long changes;

    /** The nodes that have an image of one name. Its size is nearly always the same on all of them. */
    static final class Spots {
        private final BitSet slots = new BitSet();
        private final Map<Integer, Long> oddSizes = new HashMap<>(0);
        private long bytes;
        private int count;

        int count() {
            return count;
        }

        BitSet slots() {
            return slots;
        }

        long bytesAt(int slot) {
            return oddSizes.isEmpty() ? bytes : oddSizes.getOrDefault(slot, bytes);
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
                oddSizes.put(slot, size);
            }
        }

        private void remove(int slot) {
            if (slots.get(slot)) {
                slots.clear(slot);
                oddSizes.remove(slot);
                count--;
            }
        }
    }

    Optional<Spots> of(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /** Grows with every change of what is where. */
    long changes() {
        return changes;
    }

    void nodeCountChanged() {
        changes++;
    }

    void replace(int slot, Optional<Node> before, Optional<Node> after) {
        List<Image> old = before.map(Node::images).orElse(List.of());
        List<Image> now = after.map(Node::images).orElse(List.of());
        if (old == now || old.equals(now)) {
            return;
        }
        changes++;
        old.forEach(image -> image.names().forEach(name -> remove(slot, name)));
        now.forEach(image -> image.names()
                .forEach(name ->
                        byName.computeIfAbsent(name, unknown -> new Spots()).add(slot, image.bytes())));
    }

    private void remove(int slot, String name) {
        Spots spots = byName.get(name);
        if (spots != null) {
            spots.remove(slot);
            if (spots.count == 0) {
                byName.remove(name);
            }
        }
    }
}
