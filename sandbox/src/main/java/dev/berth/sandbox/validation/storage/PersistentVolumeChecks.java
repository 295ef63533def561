package dev.berth.sandbox.validation.storage;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.StoredQuantity;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import dev.berth.sandbox.validation.field.ObjectDiff;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.NodeSelectorChecks;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Checks PersistentVolumes. */
public final class PersistentVolumeChecks {
    private static final FieldPath SPEC = FieldPath.of("spec");
    /** The fields of a volume spec that are not volume sources. */
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

    public static void volume(ObjectNode volume, FieldErrorList errors) {
        List<String> modes = texts(volume, "spec", "accessModes");
        if (modes.isEmpty()) {
            errors.required(SPEC.child("accessModes"));
        }
        PersistentVolumeClaimChecks.accessModes(modes, SPEC.child("accessModes"), errors);
        capacity(at(volume, "spec", "capacity"), errors);
        errors.requireSupportedOrEmpty(
                SPEC.child("persistentVolumeReclaimPolicy"),
                text(volume, "spec", "persistentVolumeReclaimPolicy"),
                List.of("Delete", "Recycle", "Retain"));
        nodeAffinity(volume, errors);
        source(volume, errors);
        String storageClass = text(volume, "spec", "storageClassName");
        if (!storageClass.isEmpty()) {
            errors.invalid(SPEC.child("storageClassName"), storageClass, NameChecks.dnsSubdomain(storageClass));
        }
        errors.requireSupportedOrEmpty(
                SPEC.child("volumeMode"), text(volume, "spec", "volumeMode"), PersistentVolumeClaimChecks.VOLUME_MODES);
    }

    private static void capacity(JsonNode capacity, FieldErrorList errors) {
        FieldPath path = SPEC.child("capacity");
        if (capacity.isEmpty()) {
            errors.required(path);
        }
        if (!capacity.has("storage") || capacity.size() > 1) {
            JsonNode shown = capacity.isMissingNode() ? GoFormat.NULL : capacity;
            errors.add(FieldError.notSupported(path, shown, List.of("storage")));
        }
        capacity.properties()
                .forEach(entry -> StoredQuantity.of(entry.getValue()).ifPresent(amount -> {
                    if (amount.signum() < 0) {
                        errors.invalid(
                                path.key(entry.getKey()),
                                amount.value().longValue(),
                                "must be a valid resource quantity");
                    }
                    PersistentVolumeClaimChecks.positive(amount, path.key(entry.getKey()), errors);
                }));
    }

    private static void nodeAffinity(ObjectNode volume, FieldErrorList errors) {
        object(volume, "spec", "nodeAffinity").ifPresent(affinity -> {
            FieldPath path = SPEC.child("nodeAffinity").child("required");
            object(affinity, "required")
                    .ifPresentOrElse(
                            required -> NodeSelectorChecks.check(required, path, errors),
                            () -> errors.required(path, "must specify required node constraints"));
        });
    }

    private static List<String> sources(JsonNode spec) {
        List<String> kinds = new ArrayList<>();
        spec.fieldNames().forEachRemaining(kinds::add);
        kinds.removeAll(OTHER_FIELDS);
        return kinds;
    }

    private static void source(ObjectNode volume, FieldErrorList errors) {
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

    public static void volumeUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        ObjectNode old = sourceOf(before);
        ObjectNode source = sourceOf(after);
        if (!old.equals(source)) {
            errors.forbidden(
                    SPEC.child("persistentvolumesource"),
                    "spec.persistentvolumesource is immutable after creation\n" + ObjectDiff.diff(old, source));
        }
        ObjectMetaChecks.checkUnchanged(
                at(before, "spec", "volumeMode"), at(after, "spec", "volumeMode"), FieldPath.of("volumeMode"), errors);
    }

    private static ObjectNode sourceOf(ObjectNode volume) {
        ObjectNode spec = object(volume, "spec").orElseGet(volume::objectNode).deepCopy();
        return spec.retain(sources(spec));
    }
}
