package dev.berth.embedded.workload.garbage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.mirror.ObjectKey;
import dev.berth.embedded.client.object.Meta;
import java.util.Comparator;

/** An object as the garbage collector names it: the UID tells it from others of its name. */
public record Item(Resource resource, ObjectKey key, String uid) implements Comparable<Item> {
    private static final Comparator<Item> ORDER =
            Comparator.comparing(Item::resource).thenComparing(Item::key).thenComparing(Item::uid);

    static Item of(Resource resource, ObjectNode object) {
        return new Item(resource, ObjectKey.of(object), Meta.uid(object));
    }

    @Override
    public int compareTo(Item other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return resource.kind() + " " + key;
    }
}
