package dev.berth.embedded.rest.extra;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.kind.Kinds;
import dev.berth.embedded.rest.verb.Births;
import dev.berth.embedded.rest.verb.Deletion;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.store.ObjectKey;
import dev.berth.embedded.store.ResourceId;
import dev.berth.embedded.store.Shelf;
import dev.berth.embedded.store.Store;
import dev.berth.embedded.store.Stored;
import dev.berth.embedded.tree.Trees;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
        own.set("status", status(definition.tree()));
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

    private ObjectNode status(ObjectNode definition) {
        JsonNode old = definition.path("status");
        Optional<String> conflict = conflict(definition);
        ObjectNode status = old instanceof ObjectNode there ? there.deepCopy() : JsonNodeFactory.instance.objectNode();
        ArrayNode conditions = status.putArray("conditions");
        conditions.add(condition(
                old,
                "NamesAccepted",
                conflict.isEmpty(),
                conflict.isEmpty() ? "NoConflicts" : "NameConflict",
                conflict.orElse("no conflicts found")));
        conditions.add(condition(
                old,
                "Established",
                conflict.isEmpty(),
                conflict.isEmpty() ? "InitialNamesAccepted" : "NotAccepted",
                conflict.isEmpty() ? "the initial names have been accepted" : "not all names are accepted"));
        if (conflict.isEmpty()) {
            status.set("acceptedNames", definition.path("spec").path("names"));
        }
        Set<String> stored = new LinkedHashSet<>(Trees.texts(old, "storedVersions"));
        for (ObjectNode version : Trees.objects(definition, "spec", "versions")) {
            if (Trees.flag(version, "storage")) {
                stored.add(Trees.text(version, "name"));
            }
        }
        stored.forEach(status.putArray("storedVersions")::add);
        return status;
    }

    private ObjectNode condition(JsonNode old, String type, boolean holds, String reason, String message) {
        ObjectNode condition = JsonNodeFactory.instance.objectNode();
        String word = holds ? "True" : "False";
        String since = Trees.objects(old, "conditions").stream()
                .filter(each -> Trees.text(each, "type").equals(type)
                        && Trees.text(each, "status").equals(word))
                .map(each -> Trees.text(each, "lastTransitionTime"))
                .findFirst()
                .orElseGet(() -> Meta.time(births.now()));
        condition.put("type", type).put("status", word).put("lastTransitionTime", since);
        return condition.put("reason", reason).put("message", message);
    }

    /** Which name belongs to another definition of the group already. */
    private Optional<String> conflict(ObjectNode definition) {
        String group = Trees.text(definition, "spec", "group");
        Set<String> mine = names(definition);
        for (Stored other : shelf.snapshot().list("")) {
            boolean rival = Trees.text(other.tree(), "spec", "group").equals(group)
                    && !other.key().name().equals(Meta.name(definition))
                    && other.tree().path("status").has("acceptedNames");
            if (rival) {
                for (String name : names(other.tree())) {
                    if (mine.contains(name)) {
                        return Optional.of("\"" + name + "\" is already in use");
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static Set<String> names(ObjectNode definition) {
        Set<String> names = new LinkedHashSet<>();
        for (String field : List.of("plural", "singular", "kind", "listKind")) {
            names.add(Trees.text(definition, "spec", "names", field));
        }
        names.addAll(Trees.texts(definition, "spec", "names", "shortNames"));
        names.remove("");
        return names;
    }
}
