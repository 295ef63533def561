package dev.berth.sandbox.recorded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.defaulting.DefaultPodTolerations;
import dev.berth.sandbox.defaulting.Defaults;
import dev.berth.sandbox.defaulting.ServiceNetworkFields;
import dev.berth.sandbox.defaulting.WritePreparation;
import dev.berth.sandbox.printers.IncludeObject;
import dev.berth.sandbox.printers.TableConvertors;
import dev.berth.sandbox.registry.BuiltInValidation;
import dev.berth.sandbox.schema.BuiltInSchemas;
import dev.berth.sandbox.schema.GroupVersionKind;
import dev.berth.sandbox.schema.KindSchema;
import dev.berth.sandbox.schema.json.BodyDecoder;
import dev.berth.sandbox.schema.value.DecodingException;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.InvalidStatus;
import java.time.Instant;
import java.util.List;

/** What the server does with an object of a built-in kind, without the server: the functions in their order. */
final class BuiltInKindPipeline {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final GroupVersionKind gvk;

    private BuiltInKindPipeline(GroupVersionKind gvk) {
        this.gvk = gvk;
    }

    static ObjectNode answer(RecordedCase each) {
        return new BuiltInKindPipeline(GroupVersionKind.of(each.apiVersion(), each.kind())).run(each);
    }

    private ObjectNode run(RecordedCase each) {
        ObjectNode object = decode(each.create());
        List<FieldError> errors = create(object);
        if (errors.isEmpty() && each.status().isPresent()) {
            ObjectNode after = decode(merge(object, each.status().get()));
            errors = updateStatus(object, after);
            object = after;
        }
        if (each.kind().equals("CustomResourceDefinition") && each.change().isPresent()) {
            establish(object);
        }
        if (errors.isEmpty() && each.change().isPresent()) {
            ObjectNode after = decode(merge(object, each.change().get()));
            errors = update(object, after);
            object = after;
        }
        if (!errors.isEmpty()) {
            String name = NestedFields.text(object, "metadata", "name");
            return NormalizedAnswers.refused(InvalidStatus.of(gvk.group(), gvk.kind(), name, errors));
        }
        if (each.deleted()) {
            NestedFields.getOrCreateObject(object, "metadata").put("deletionTimestamp", NOW.toString());
        }
        return each.prints()
                ? NormalizedAnswers.printed(TableConvertors.find(gvk.group(), gvk.kind())
                        .convertToTable(List.of(object), IncludeObject.NONE, NOW))
                : NormalizedAnswers.stored(object);
    }

    private ObjectNode decode(ObjectNode sent) {
        BuiltInSchemas schemas = BuiltInSchemas.load();
        try {
            return new BodyDecoder(schemas)
                    .decode(sent, gvk, schemas.find(gvk).orElseThrow().object())
                    .object();
        } catch (DecodingException e) {
            throw new IllegalStateException(e);
        }
    }

    private KindSchema schema() {
        return BuiltInSchemas.load().find(gvk).orElseThrow();
    }

    private List<FieldError> create(ObjectNode object) {
        ObjectNode metadata = NestedFields.getOrCreateObject(object, "metadata");
        if (schema().namespaced()) {
            NestedFields.setDefaultText(metadata, "namespace", "default");
        }
        Defaults.apply(gvk, object);
        NestedFields.getOrCreateObject(object, "metadata")
                .put("uid", "1b1e0d9a-3f0c-4a2f-9c55-5c1f0f5f3c11")
                .put("resourceVersion", "1")
                .put("creationTimestamp", NOW.toString());
        admit(object);
        WritePreparation.prepareForCreate(schema(), object);
        List<FieldError> errors = BuiltInValidation.validateCreate(gvk.group(), gvk.version(), gvk.kind(), object);
        if (errors.isEmpty() && gvk.kind().equals("Service")) {
            ServiceNetworkFields.assign(object, () -> "10.0.0.99", () -> 30099);
        }
        return errors;
    }

    /** What the server does as soon as a definition is stored. */
    private static void establish(ObjectNode definition) {
        ObjectNode status = NestedFields.getOrCreateObject(definition, "status");
        status.set("acceptedNames", definition.at("/spec/names").deepCopy());
        ArrayNode conditions = status.putArray("conditions");
        addCondition(conditions, "NamesAccepted", "NoConflicts", "no conflicts found");
        addCondition(conditions, "Established", "InitialNamesAccepted", "the initial names have been accepted");
    }

    private static void addCondition(ArrayNode conditions, String type, String reason, String message) {
        ObjectNode condition = conditions.addObject().put("type", type).put("status", "True");
        condition
                .put("lastTransitionTime", NOW.toString())
                .put("reason", reason)
                .put("message", message);
    }

    private List<FieldError> update(ObjectNode before, ObjectNode after) {
        Defaults.apply(gvk, after);
        admit(after);
        WritePreparation.prepareForUpdate(schema(), before, after);
        return BuiltInValidation.validateUpdate(gvk.group(), gvk.version(), gvk.kind(), before, after);
    }

    private List<FieldError> updateStatus(ObjectNode before, ObjectNode after) {
        Defaults.apply(gvk, after);
        WritePreparation.prepareForStatusUpdate(schema(), before, after);
        return BuiltInValidation.validateStatusUpdate(gvk.group(), gvk.version(), gvk.kind(), before, after);
    }

    /** The plugins that stand between defaults and validation. */
    private void admit(ObjectNode object) {
        if (gvk.kind().equals("Pod")) {
            DefaultPodTolerations.addMissing(object);
            ObjectNode spec = NestedFields.getOrCreateObject(object, "spec");
            NestedFields.setDefaultNumber(spec, "priority", 0);
            NestedFields.setDefaultText(spec, "preemptionPolicy", "PreemptLowerPriority");
        }
    }

    static ObjectNode merge(ObjectNode target, ObjectNode patch) {
        ObjectNode merged = target.deepCopy();
        patch.properties().forEach(entry -> {
            JsonNode value = entry.getValue();
            if (value.isNull()) {
                merged.remove(entry.getKey());
            } else if (value instanceof ObjectNode object) {
                merged.set(entry.getKey(), merge(NestedFields.getOrCreateObject(merged, entry.getKey()), object));
            } else {
                merged.set(entry.getKey(), value.deepCopy());
            }
        });
        return merged;
    }
}
