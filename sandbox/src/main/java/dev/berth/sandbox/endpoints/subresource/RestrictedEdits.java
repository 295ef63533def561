package dev.berth.sandbox.endpoints.subresource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.endpoints.handlers.write.ObjectEdit;
import dev.berth.sandbox.registry.RestStrategy;
import dev.berth.sandbox.storage.ObjectMetaEditor;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.FieldPath;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/** Edits that may change only one part of an object. */
final class RestrictedEdits {

    private RestrictedEdits() {}

    /** Only the finalizers in the spec of a namespace. */
    static ObjectEdit finalizersOnly(ObjectEdit edit) {
        return restrict(edit, RestrictedEdits::keepAllButFinalizers, (before, after) -> List.of());
    }

    /** Only the resources of containers. */
    static ObjectEdit resourcesOnly(ObjectEdit edit) {
        return restrict(edit, RestrictedEdits::keepAllButResources, RestrictedEdits::validateResources);
    }

    private static ObjectEdit restrict(
            ObjectEdit edit,
            BiConsumer<ObjectNode, ObjectNode> keep,
            BiFunction<ObjectNode, ObjectNode, List<FieldError>> validator) {
        return new ObjectEdit() {
            private List<FieldError> found = List.of();

            @Override
            public ObjectNode updatedObject(ObjectNode before) {
                return edit.updatedObject(before);
            }

            @Override
            public void prepare(RestStrategy rules, ObjectNode before, ObjectNode mutable) {
                found = validator.apply(before, mutable);
                String version = ObjectMetaReader.resourceVersion(mutable);
                keep.accept(before, mutable);
                ObjectMetaEditor.mutableMetadata(mutable).put("resourceVersion", version);
                updateGeneration(before, mutable);
            }

            @Override
            public List<FieldError> validate(RestStrategy rules, ObjectNode before, ObjectNode after) {
                return found;
            }
        };
    }

    private static void updateGeneration(ObjectNode before, ObjectNode mutable) {
        long generation = ObjectMetaReader.generation(before);
        if (generation > 0 && !before.path("spec").equals(mutable.path("spec"))) {
            NestedFields.putNumber(ObjectMetaEditor.mutableMetadata(mutable), "generation", generation + 1);
        }
    }

    private static void keepAllButFinalizers(ObjectNode before, ObjectNode mutable) {
        JsonNode finalizers = mutable.path("spec").path("finalizers").deepCopy();
        restore(before, mutable);
        if (finalizers.isEmpty()) {
            NestedFields.getOrCreateObject(mutable, "spec").remove("finalizers");
        } else {
            NestedFields.getOrCreateObject(mutable, "spec").set("finalizers", finalizers);
        }
    }

    private static void keepAllButResources(ObjectNode before, ObjectNode mutable) {
        ObjectNode wanted = mutable.deepCopy();
        restore(before, mutable);
        for (String list : List.of("containers", "initContainers")) {
            List<ObjectNode> changes = NestedFields.objects(wanted, "spec", list);
            List<ObjectNode> containers = NestedFields.objects(mutable, "spec", list);
            for (int i = 0; i < Math.min(changes.size(), containers.size()); i++) {
                NestedFields.copyField(changes.get(i), containers.get(i), "resources");
                NestedFields.copyField(changes.get(i), containers.get(i), "resizePolicy");
            }
        }
        if (wanted.path("spec").has("resources") || before.path("spec").has("resources")) {
            NestedFields.copyField(
                    NestedFields.getOrCreateObject(wanted, "spec"),
                    NestedFields.getOrCreateObject(mutable, "spec"),
                    "resources");
        }
    }

    private static List<FieldError> validateResources(ObjectNode before, ObjectNode mutable) {
        boolean sameContainers = names(before, "containers").equals(names(mutable, "containers"))
                && names(before, "initContainers").equals(names(mutable, "initContainers"));
        if (!sameContainers) {
            return List.of(FieldError.forbidden(
                    FieldPath.of("spec", "containers"), "containers may not be added, removed or reordered on resize"));
        }
        return List.of();
    }

    private static List<String> names(ObjectNode pod, String list) {
        return NestedFields.objects(pod, "spec", list).stream()
                .map(each -> NestedFields.text(each, "name"))
                .toList();
    }

    /** Replaces the content of the tree by a deep copy of the old state. */
    private static void restore(ObjectNode before, ObjectNode mutable) {
        ObjectNode copy = before.deepCopy();
        mutable.removeAll();
        mutable.setAll(copy);
    }
}
