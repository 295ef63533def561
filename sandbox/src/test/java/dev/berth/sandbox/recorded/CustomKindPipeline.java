package dev.berth.sandbox.recorded;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.apiextensions.CustomKind;
import dev.berth.sandbox.apiextensions.CustomVersion;
import dev.berth.sandbox.defaulting.WritePreparation;
import dev.berth.sandbox.printers.IncludeObject;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.InvalidStatus;
import java.time.Instant;
import java.util.List;

/** What the server does with an object of a custom kind, without the server. */
final class CustomKindPipeline {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final CustomKind kind;
    private final CustomVersion version;

    CustomKindPipeline(CustomKind kind, String apiVersion) {
        this.kind = kind;
        this.version =
                kind.version(apiVersion.substring(apiVersion.indexOf('/') + 1)).orElseThrow();
    }

    ObjectNode answer(RecordedCase each) {
        ObjectNode object = read(each.create());
        ObjectNode metadata = NestedFields.getOrCreateObject(object, "metadata");
        if (kind.namespaced()) {
            NestedFields.setDefaultText(metadata, "namespace", "default");
        }
        metadata.put("uid", "1b1e0d9a-3f0c-4a2f-9c55-5c1f0f5f3c11").put("resourceVersion", "1");
        metadata.put("creationTimestamp", NOW.toString()).put("generation", 1);
        object.remove("status");
        List<FieldError> errors = version.validate(object);
        if (errors.isEmpty() && each.status().isPresent()) {
            ObjectNode after =
                    read(BuiltInKindPipeline.merge(object, each.status().get()));
            for (String field : List.of("spec", "metadata")) {
                after.set(field, object.get(field));
            }
            errors = version.validateStatusUpdate(object, after);
            object = after;
        }
        if (errors.isEmpty() && each.change().isPresent()) {
            ObjectNode after =
                    read(BuiltInKindPipeline.merge(object, each.change().get()));
            after.remove("status");
            WritePreparation.keepSystemFields(object, after);
            if (!after.path("spec").equals(object.path("spec"))) {
                NestedFields.getOrCreateObject(after, "metadata").put("generation", 2);
            }
            errors = version.validateUpdate(object, after);
            object = after;
        }
        if (!errors.isEmpty()) {
            String name = NestedFields.text(object, "metadata", "name");
            return NormalizedAnswers.refused(
                    InvalidStatus.of(kind.group(), kind.names().kind(), name, errors));
        }
        return each.prints()
                ? NormalizedAnswers.printed(
                        version.tableConvertor().convertToTable(List.of(object), IncludeObject.NONE, NOW))
                : NormalizedAnswers.stored(object);
    }

    private ObjectNode read(ObjectNode sent) {
        ObjectNode object = sent.deepCopy();
        for (CustomVersion each : List.of(version, kind.storageVersion())) {
            each.prune(object);
            each.applyDefaults(object);
        }
        return object;
    }
}
