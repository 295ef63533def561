package dev.berth.embedded.recorded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.defaults.Defaults;
import dev.berth.embedded.defaults.PodAdmission;
import dev.berth.embedded.defaults.ServiceAddresses;
import dev.berth.embedded.defaults.Strategies;
import dev.berth.embedded.schema.BuiltInSchemas;
import dev.berth.embedded.schema.GroupVersionKind;
import dev.berth.embedded.schema.KindSchema;
import dev.berth.embedded.schema.json.BodyDecoder;
import dev.berth.embedded.schema.value.DecodingException;
import dev.berth.embedded.table.IncludeObject;
import dev.berth.embedded.table.Tables;
import dev.berth.embedded.tree.Trees;
import dev.berth.embedded.validation.FieldError;
import dev.berth.embedded.validation.InvalidStatus;
import dev.berth.embedded.validation.Validation;
import java.time.Instant;
import java.util.List;

/** What the server does with an object of a built-in kind, without the server: the functions in their order. */
final class Ours {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final GroupVersionKind gvk;

    private Ours(GroupVersionKind gvk) {
        this.gvk = gvk;
    }

    static ObjectNode answer(RecordedCase each) {
        return new Ours(GroupVersionKind.of(each.apiVersion(), each.kind())).run(each);
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
            String name = Trees.text(object, "metadata", "name");
            return Answers.refused(InvalidStatus.of(gvk.group(), gvk.kind(), name, errors));
        }
        if (each.deleted()) {
            Trees.child(object, "metadata").put("deletionTimestamp", NOW.toString());
        }
        return each.prints()
                ? Answers.printed(
                        Tables.layout(gvk.group(), gvk.kind()).table(List.of(object), IncludeObject.NONE, NOW))
                : Answers.stored(object);
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
        ObjectNode metadata = Trees.child(object, "metadata");
        if (schema().namespaced()) {
            Trees.fillText(metadata, "namespace", "default");
        }
        Defaults.apply(gvk, object);
        Trees.child(object, "metadata")
                .put("uid", "1b1e0d9a-3f0c-4a2f-9c55-5c1f0f5f3c11")
                .put("resourceVersion", "1")
                .put("creationTimestamp", NOW.toString());
        admit(object);
        Strategies.onCreate(schema(), object);
        List<FieldError> errors = Validation.onCreate(gvk.group(), gvk.version(), gvk.kind(), object);
        if (errors.isEmpty() && gvk.kind().equals("Service")) {
            ServiceAddresses.assign(object, () -> "10.0.0.99", () -> 30099);
        }
        return errors;
    }

    /** What the server does as soon as a definition is stored. */
    private static void establish(ObjectNode definition) {
        ObjectNode status = Trees.child(definition, "status");
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
        Strategies.onUpdate(schema(), before, after);
        return Validation.onUpdate(gvk.group(), gvk.version(), gvk.kind(), before, after);
    }

    private List<FieldError> updateStatus(ObjectNode before, ObjectNode after) {
        Defaults.apply(gvk, after);
        Strategies.onStatusUpdate(schema(), before, after);
        return Validation.onStatusUpdate(gvk.group(), gvk.version(), gvk.kind(), before, after);
    }

    /** The plugins that stand between defaults and validation. */
    private void admit(ObjectNode object) {
        if (gvk.kind().equals("Pod")) {
            PodAdmission.tolerateSilentNodes(object);
            ObjectNode spec = Trees.child(object, "spec");
            Trees.fillNumber(spec, "priority", 0);
            Trees.fillText(spec, "preemptionPolicy", "PreemptLowerPriority");
        }
    }

    static ObjectNode merge(ObjectNode target, ObjectNode patch) {
        ObjectNode merged = target.deepCopy();
        patch.properties().forEach(entry -> {
            JsonNode value = entry.getValue();
            if (value.isNull()) {
                merged.remove(entry.getKey());
            } else if (value instanceof ObjectNode object) {
                merged.set(entry.getKey(), merge(Trees.child(merged, entry.getKey()), object));
            } else {
                merged.set(entry.getKey(), value.deepCopy());
            }
        });
        return merged;
    }
}
