package dev.berth.sandbox.validation.cluster;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import java.util.List;

/** Checks Events of the core group and of {@code events.k8s.io}, which has stricter rules. */
public final class EventChecks {
    private EventChecks() {}

    public static void coreEvent(ObjectNode event, FieldErrorList errors) {
        shared(event, "involvedObject", "reportingComponent", errors);
    }

    /** Checks an event of {@code events.k8s.io}. */
    public static void event(ObjectNode event, FieldErrorList errors) {
        shared(event, "regarding", "reportingController", errors);
        ObjectMetaChecks.checkNew(event, true, NameChecks::dnsSubdomain, errors);
        series(event, errors);
        if (!has(event, "eventTime")) {
            errors.required(FieldPath.of("eventTime"));
        }
        String type = text(event, "type");
        if (!type.equals("Normal") && !type.equals("Warning")) {
            errors.invalid(FieldPath.of("type"), "", "has invalid value: " + type);
        }
        unset(has(event, "deprecatedFirstTimestamp"), "firstTimestamp", errors);
        unset(has(event, "deprecatedLastTimestamp"), "lastTimestamp", errors);
        unset(number(event, "deprecatedCount") != 0, "count", errors);
        unset(!at(event, "deprecatedSource").isEmpty(), "source", errors);
    }

    private static void unset(boolean set, String field, FieldErrorList errors) {
        if (set) {
            errors.invalid(FieldPath.of(field), "", "needs to be unset");
        }
    }

    private static void series(ObjectNode event, FieldErrorList errors) {
        if (!has(event, "series")) {
            return;
        }
        if (number(event, "series", "count") < 2) {
            errors.invalid(FieldPath.of("series.count"), "", "should be at least 2");
        }
        if (!has(event, "series", "lastObservedTime")) {
            errors.required(FieldPath.of("series.lastObservedTime"));
        }
    }

    private static void shared(ObjectNode event, String about, String controller, FieldErrorList errors) {
        String namespace = text(event, "metadata", "namespace");
        String other = text(event, about, "namespace");
        boolean isNew = has(event, "eventTime");
        boolean matches = other.isEmpty()
                ? namespace.isEmpty() || namespace.equals("default") || (isNew && namespace.equals("kube-system"))
                : isNew || namespace.equals(other);
        if (!matches) {
            errors.invalid(FieldPath.of("involvedObject", "namespace"), other, "does not match event.namespace");
        }
        if (isNew) {
            required(event, controller, errors);
            errors.invalid(
                    FieldPath.of(controller),
                    text(event, controller),
                    NameChecks.qualifiedName(text(event, controller)));
            for (String field : List.of("reportingInstance", "action", "reason")) {
                required(event, field, errors);
                limit(text(event, field), field, 128, errors);
            }
            limit(text(event, "message") + text(event, "note"), "message", 1024, errors);
        }
        errors.invalid(FieldPath.of("namespace"), namespace, NameChecks.dnsSubdomain(namespace));
    }

    private static void required(ObjectNode event, String field, FieldErrorList errors) {
        if (text(event, field).isEmpty()) {
            errors.required(FieldPath.of(field));
        }
    }

    private static void limit(String value, String field, int length, FieldErrorList errors) {
        if (value.length() > length) {
            errors.invalid(FieldPath.of(field), "", "can have at most " + length + " characters");
        }
    }
}
