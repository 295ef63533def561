package dev.berth.embedded.rest.extra;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.crd.DefinitionStatus;
import dev.berth.embedded.rest.kind.Kinds;
import dev.berth.embedded.rest.target.Births;
import dev.berth.embedded.rest.writing.Deletion;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.ObjectKey;
import dev.berth.embedded.store.ResourceId;
import dev.berth.embedded.store.Shelf;
import dev.berth.embedded.store.Store;
import dev.berth.embedded.store.Stored;
import dev.berth.embedded.tree.Trees;
import java.util.List;
import java.util.Optional;

/**
 * The life of definitions of custom kinds: accepted names and served versions right after each write, and, at the end,
 * first all objects of the kind and then the definition itself.
 */
final class Definitions {

    private final Store store;
    private final Shelf shelf;
    private final Births births;
    private final ApiServices services;

    Definitions(Store store, Births births, ApiServices services) {
        this.store = store;
        this.shelf = store.shelf(Kinds.DEFINITIONS);
        this.births = births;
        this.services = services;
    }

    /** Follows up a write of a definition. */
    void written(Stored definition) {
        if (Meta.deletionTimestamp(definition.tree()).isPresent()) {
            deleteObjects(definition);
            release(definition.key());
            return;
        }
        ObjectNode own = Meta.shallowCopy(definition.tree());
        List<ObjectNode> all =
                shelf.snapshot().list("").stream().map(Stored::tree).toList();
        own.set("status", DefinitionStatus.of(definition.tree(), all, Meta.time(births.now())));
        if (!own.equals(definition.tree())) {
            shelf.replace(definition, own);
        }
        String group = Trees.text(definition.tree(), "spec", "group");
        for (ObjectNode version : Trees.objects(definition.tree(), "spec", "versions")) {
            if (Trees.flag(version, "served")) {
                services.register(group, Trees.text(version, "name"), true);
            }
        }
    }

    /** Follows up the removal of a definition. */
    void removed(Stored definition) {
        String group = Trees.text(definition.tree(), "spec", "group");
        boolean others = shelf.snapshot().list("").stream()
                .anyMatch(each -> Trees.text(each.tree(), "spec", "group").equals(group));
        if (!others) {
            Trees.objects(definition.tree(), "spec", "versions")
                    .forEach(version -> services.unregister(group, Trees.text(version, "name")));
        }
    }

    /** Lets a leaving definition go when the last object of its kind has gone. */
    void release(ObjectKey key) {
        Optional<Stored> present = shelf.get(key)
                .filter(each -> Meta.deletionTimestamp(each.tree()).isPresent()
                        && Meta.finalizers(each.tree()).contains(Deletion.CLEANUP_FINALIZER))
                .filter(each -> objects(each).snapshot().size() == 0);
        if (present.isEmpty()) {
            return;
        }
        List<String> left = Meta.finalizers(present.get().tree());
        left.remove(Deletion.CLEANUP_FINALIZER);
        if (left.isEmpty()) {
            shelf.remove(present.get()).ifPresent(this::removed);
        } else {
            ObjectNode own = Meta.shallowCopy(present.get().tree());
            Meta.setFinalizers(own, left);
            shelf.replace(present.get(), own);
        }
    }

    private void deleteObjects(Stored definition) {
        Shelf objects = objects(definition);
        for (Stored each : objects.snapshot().list("")) {
            if (Meta.finalizers(each.tree()).isEmpty()) {
                objects.remove(each);
            } else if (Meta.deletionTimestamp(each.tree()).isEmpty()) {
                ObjectNode own = Meta.shallowCopy(each.tree());
                Meta.of(own).put("deletionTimestamp", Meta.time(births.now())).put("deletionGracePeriodSeconds", 0);
                objects.replace(each, own);
            }
        }
    }

    private Shelf objects(Stored definition) {
        return store.shelf(new ResourceId(
                Trees.text(definition.tree(), "spec", "group"),
                Trees.text(definition.tree(), "spec", "names", "plural")));
    }
}
