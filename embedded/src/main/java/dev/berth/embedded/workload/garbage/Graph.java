package dev.berth.embedded.workload.garbage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.mirror.ObjectKey;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.OwnerReference;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** Who owns whom, by UID, among all objects heard of. */
final class Graph {
    private final Map<String, Item> known = new HashMap<>();
    private final Map<String, SortedSet<Item>> dependents = new HashMap<>();

    void enter(Resource resource, ObjectNode object) {
        Item item = Item.of(resource, object);
        known.put(item.uid(), item);
        for (OwnerReference owner : Meta.owners(object)) {
            dependents.computeIfAbsent(owner.uid(), none -> new TreeSet<>()).add(item);
        }
    }

    void leave(Resource resource, ObjectNode object) {
        Item item = Item.of(resource, object);
        known.remove(item.uid());
        for (OwnerReference owner : Meta.owners(object)) {
            SortedSet<Item> others = dependents.get(owner.uid());
            if (others != null) {
                others.remove(item);
                if (others.isEmpty()) {
                    dependents.remove(owner.uid());
                }
            }
        }
    }

    /** The objects that name that UID among their owners. */
    Collection<Item> dependentsOf(String uid) {
        SortedSet<Item> found = dependents.get(uid);
        return found == null ? List.of() : List.copyOf(found);
    }

    /** The owner that the reference means, seen from that namespace; a reference across namespaces means nobody. */
    Optional<Item> owner(OwnerReference reference, String namespace) {
        return Optional.ofNullable(known.get(reference.uid()))
                .filter(item -> item.resource().kind().equals(reference.kind())
                        && item.resource().group().equals(reference.group()))
                .filter(item -> matches(item.key(), reference, namespace));
    }

    private static boolean matches(ObjectKey key, OwnerReference reference, String namespace) {
        return key.name().equals(reference.name())
                && (key.namespace().isEmpty() || key.namespace().equals(namespace));
    }
}
