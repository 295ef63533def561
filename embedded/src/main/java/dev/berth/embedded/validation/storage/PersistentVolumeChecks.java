package dev.berth.embedded.validation.storage;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.object;
import static dev.berth.embedded.tree.Trees.text;
import static dev.berth.embedded.tree.Trees.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.tree.Quantity;
import dev.berth.embedded.validation.Differences;
import dev.berth.embedded.validation.FieldError;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.GoText;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.meta.Names;
import dev.berth.embedded.validation.meta.NodeSelectors;
import dev.berth.embedded.validation.meta.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Volumes that outlive pods. */
public final class PersistentVolumeChecks {
    private static final Path SPEC = Path.of("spec");
    /** What a volume's spec holds beside the source. */
    private static final Set<String> OTHER_FIELDS = Set.of(
            "capacity",
            "accessModes",
            "claimRef",
            "persistentVolumeReclaimPolicy",
            "storageClassName",
            "mountOptions",
            "volumeMode",
            "nodeAffinity",
            "volumeAttributesClassName");

    private PersistentVolumeChecks() {}

    public static void volume(ObjectNode volume, FieldErrors errors) {
        List<String> modes = texts(volume, "spec", "accessModes");
        if (modes.isEmpty()) {
            errors.required(SPEC.child("accessModes"));
        }
        ClaimChecks.accessModes(modes, SPEC.child("accessModes"), errors);
        capacity(at(volume, "spec", "capacity"), errors);
        errors.oneOfOrNone(
                SPEC.child("persistentVolumeReclaimPolicy"),
                text(volume, "spec", "persistentVolumeReclaimPolicy"),
                List.of("Delete", "Recycle", "Retain"));
        nodeAffinity(volume, errors);
        source(volume, errors);
        String storageClass = text(volume, "spec", "storageClassName");
        if (!storageClass.isEmpty()) {
            errors.invalid(SPEC.child("storageClassName"), storageClass, Names.subdomain(storageClass));
        }
        errors.oneOfOrNone(SPEC.child("volumeMode"), text(volume, "spec", "volumeMode"), ClaimChecks.VOLUME_MODES);
    }

    private static void capacity(JsonNode capacity, FieldErrors errors) {
        Path path = SPEC.child("capacity");
        if (capacity.isEmpty()) {
            errors.required(path);
        }
        if (!capacity.has("storage") || capacity.size() > 1) {
            JsonNode shown = capacity.isMissingNode() ? GoText.NULL : capacity;
            errors.add(FieldError.notSupported(path, shown, List.of("storage")));
        }
        capacity.properties()
                .forEach(entry -> Quantity.of(entry.getValue()).ifPresent(amount -> {
                    if (amount.signum() < 0) {
                        errors.invalid(
                                path.key(entry.getKey()),
                                amount.value().longValue(),
                                "must be a valid resource quantity");
                    }
                    ClaimChecks.positive(amount, path.key(entry.getKey()), errors);
                }));
    }

    private static void nodeAffinity(ObjectNode volume, FieldErrors errors) {
        object(volume, "spec", "nodeAffinity").ifPresent(affinity -> {
            Path path = SPEC.child("nodeAffinity").child("required");
            object(affinity, "required")
                    .ifPresentOrElse(
                            required -> NodeSelectors.check(required, path, errors),
                            () -> errors.required(path, "must specify required node constraints"));
        });
    }

    private static List<String> sources(JsonNode spec) {
        List<String> kinds = new ArrayList<>();
        spec.fieldNames().forEachRemaining(kinds::add);
        kinds.removeAll(OTHER_FIELDS);
        return kinds;
    }

    private static void source(ObjectNode volume, FieldErrors errors) {
        List<String> kinds = sources(at(volume, "spec"));
        if (kinds.isEmpty()) {
            errors.required(SPEC, "must specify a volume type");
            return;
        }
        String first = kinds.get(0);
        object(volume, "spec", first)
                .ifPresent(source -> VolumeSourceChecks.check(source, first, SPEC.child(first), errors));
        for (String kind : kinds.subList(1, kinds.size())) {
            errors.forbidden(SPEC.child(kind), "may not specify more than 1 volume type");
        }
        if (first.equals("local") && !has(volume, "spec", "nodeAffinity")) {
            errors.required(SPEC.child("nodeAffinity"), "Local volume requires node affinity");
        }
    }

    public static void volumeUpdate(ObjectNode before, ObjectNode after, FieldErrors errors) {
        ObjectNode old = sourceOf(before);
        ObjectNode source = sourceOf(after);
        if (!old.equals(source)) {
            errors.forbidden(
                    SPEC.child("persistentvolumesource"),
                    "spec.persistentvolumesource is immutable after creation\n" + Differences.between(old, source));
        }
        ObjectMeta.checkUnchanged(
                at(before, "spec", "volumeMode"), at(after, "spec", "volumeMode"), Path.of("volumeMode"), errors);
    }

    private static ObjectNode sourceOf(ObjectNode volume) {
        ObjectNode spec = object(volume, "spec").orElseGet(volume::objectNode).deepCopy();
        return spec.retain(sources(spec));
    }
}
