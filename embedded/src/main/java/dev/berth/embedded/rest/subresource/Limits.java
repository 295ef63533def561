package dev.berth.embedded.rest.subresource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.rest.kind.KindRules;
import dev.berth.embedded.rest.writing.Edit;
import dev.berth.embedded.store.Meta;
import dev.berth.embedded.tree.Trees;
import dev.berth.embedded.validation.FieldError;
import dev.berth.embedded.validation.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;

/** Edits that may change one part of an object and nothing else. */
final class Limits {

    private Limits() {}

    /** Only the list of who has to agree before a namespace goes. */
    static Edit finalizers(Edit edit) {
        return limited(edit, Limits::keepAllButFinalizers, (before, after) -> List.of());
    }

    /** Only containers for debugging, and these only added. */
    static Edit ephemeralContainers(Edit edit) {
        return limited(edit, Limits::keepAllButEphemeral, Limits::faultsOfEphemeral);
    }

    /** Only what containers ask for. */
    static Edit resources(Edit edit) {
        return limited(edit, Limits::keepAllButResources, Limits::faultsOfResources);
    }

    private static Edit limited(
            Edit edit,
            BiConsumer<ObjectNode, ObjectNode> keep,
            BiFunction<ObjectNode, ObjectNode, List<FieldError>> faults) {
        return new Edit() {
            private List<FieldError> found = List.of();

            @Override
            public ObjectNode wanted(ObjectNode before) {
                return edit.wanted(before);
            }

            @Override
            public void prepare(KindRules rules, ObjectNode before, ObjectNode own) {
                found = faults.apply(before, own);
                String version = Meta.resourceVersion(own);
                keep.accept(before, own);
                Meta.of(own).put("resourceVersion", version);
                countChange(before, own);
            }

            @Override
            public List<FieldError> validate(KindRules rules, ObjectNode before, ObjectNode after) {
                return found;
            }
        };
    }

    private static void countChange(ObjectNode before, ObjectNode own) {
        long generation = Meta.generation(before);
        if (generation > 0 && !before.path("spec").equals(own.path("spec"))) {
            Trees.putNumber(Meta.of(own), "generation", generation + 1);
        }
    }

    private static void keepAllButFinalizers(ObjectNode before, ObjectNode own) {
        JsonNode finalizers = own.path("spec").path("finalizers").deepCopy();
        restore(before, own);
        if (finalizers.isEmpty()) {
            Trees.child(own, "spec").remove("finalizers");
        } else {
            Trees.child(own, "spec").set("finalizers", finalizers);
        }
    }

    private static void keepAllButEphemeral(ObjectNode before, ObjectNode own) {
        JsonNode containers = own.path("spec").path("ephemeralContainers").deepCopy();
        restore(before, own);
        if (!containers.isEmpty()) {
            Trees.child(own, "spec").set("ephemeralContainers", containers);
        }
    }

    private static List<FieldError> faultsOfEphemeral(ObjectNode before, ObjectNode own) {
        List<FieldError> faults = new ArrayList<>();
        Path path = Path.of("spec", "ephemeralContainers");
        List<ObjectNode> next = Trees.objects(own, "spec", "ephemeralContainers");
        for (ObjectNode old : Trees.objects(before, "spec", "ephemeralContainers")) {
            String name = Trees.text(old, "name");
            boolean there = next.stream().anyMatch(old::equals);
            boolean named =
                    next.stream().anyMatch(each -> Trees.text(each, "name").equals(name));
            if (!there) {
                String verb = named ? "changed" : "removed";
                faults.add(FieldError.forbidden(
                        path, "existing ephemeral containers \"" + name + "\" may not be " + verb));
            }
        }
        for (int i = 0; i < next.size(); i++) {
            for (String required : List.of("name", "image")) {
                if (Trees.text(next.get(i), required).isEmpty()) {
                    faults.add(FieldError.required(path.index(i).child(required), ""));
                }
            }
        }
        return faults;
    }

    private static void keepAllButResources(ObjectNode before, ObjectNode own) {
        ObjectNode wanted = own.deepCopy();
        restore(before, own);
        for (String list : List.of("containers", "initContainers")) {
            List<ObjectNode> changes = Trees.objects(wanted, "spec", list);
            List<ObjectNode> containers = Trees.objects(own, "spec", list);
            for (int i = 0; i < Math.min(changes.size(), containers.size()); i++) {
                Trees.keep(changes.get(i), containers.get(i), "resources");
                Trees.keep(changes.get(i), containers.get(i), "resizePolicy");
            }
        }
        if (wanted.path("spec").has("resources") || before.path("spec").has("resources")) {
            Trees.keep(Trees.child(wanted, "spec"), Trees.child(own, "spec"), "resources");
        }
    }

    private static List<FieldError> faultsOfResources(ObjectNode before, ObjectNode own) {
        boolean sameContainers = names(before, "containers").equals(names(own, "containers"))
                && names(before, "initContainers").equals(names(own, "initContainers"));
        if (!sameContainers) {
            return List.of(FieldError.forbidden(
                    Path.of("spec", "containers"), "containers may not be added, removed or reordered on resize"));
        }
        return List.of();
    }

    private static List<String> names(ObjectNode pod, String list) {
        return Trees.objects(pod, "spec", list).stream()
                .map(each -> Trees.text(each, "name"))
                .toList();
    }

    /** Makes the tree a copy of the state before, of which nothing is shared. */
    private static void restore(ObjectNode before, ObjectNode own) {
        ObjectNode copy = before.deepCopy();
        own.removeAll();
        own.setAll(copy);
    }
}
