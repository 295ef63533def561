package dev.berth.embedded.validation.cluster;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.meta.Names;
import dev.berth.embedded.validation.meta.ObjectMeta;
import java.util.List;

/** Events, in the old form and in that of their own group, which is stricter. */
public final class EventChecks {
    private EventChecks() {}

    /** An event of the core group. */
    public static void coreEvent(ObjectNode event, FieldErrors errors) {
        shared(event, "involvedObject", "reportingComponent", errors);
    }

    /** An event of {@code events.k8s.io}. */
    public static void event(ObjectNode event, FieldErrors errors) {
        shared(event, "regarding", "reportingController", errors);
        ObjectMeta.checkNew(event, true, Names::subdomain, errors);
        series(event, errors);
        if (!has(event, "eventTime")) {
            errors.required(Path.of("eventTime"));
        }
        String type = text(event, "type");
        if (!type.equals("Normal") && !type.equals("Warning")) {
            errors.invalid(Path.of("type"), "", "has invalid value: " + type);
        }
        unset(has(event, "deprecatedFirstTimestamp"), "firstTimestamp", errors);
        unset(has(event, "deprecatedLastTimestamp"), "lastTimestamp", errors);
        unset(number(event, "deprecatedCount") != 0, "count", errors);
        unset(!at(event, "deprecatedSource").isEmpty(), "source", errors);
    }

    private static void unset(boolean set, String field, FieldErrors errors) {
        if (set) {
            errors.invalid(Path.of(field), "", "needs to be unset");
        }
    }

    private static void series(ObjectNode event, FieldErrors errors) {
        if (!has(event, "series")) {
            return;
        }
        if (number(event, "series", "count") < 2) {
            errors.invalid(Path.of("series.count"), "", "should be at least 2");
        }
        if (!has(event, "series", "lastObservedTime")) {
            errors.required(Path.of("series.lastObservedTime"));
        }
    }

    private static void shared(ObjectNode event, String about, String controller, FieldErrors errors) {
        String namespace = text(event, "metadata", "namespace");
        String other = text(event, about, "namespace");
        boolean isNew = has(event, "eventTime");
        boolean matches = other.isEmpty()
                ? namespace.isEmpty() || namespace.equals("default") || (isNew && namespace.equals("kube-system"))
                : isNew || namespace.equals(other);
        if (!matches) {
            errors.invalid(Path.of("involvedObject", "namespace"), other, "does not match event.namespace");
        }
        if (isNew) {
            required(event, controller, errors);
            errors.invalid(Path.of(controller), text(event, controller), Names.qualified(text(event, controller)));
            for (String field : List.of("reportingInstance", "action", "reason")) {
                required(event, field, errors);
                limit(text(event, field), field, 128, errors);
            }
            limit(text(event, "message") + text(event, "note"), "message", 1024, errors);
        }
        errors.invalid(Path.of("namespace"), namespace, Names.subdomain(namespace));
    }

    private static void required(ObjectNode event, String field, FieldErrors errors) {
        if (text(event, field).isEmpty()) {
            errors.required(Path.of(field));
        }
    }

    private static void limit(String value, String field, int length, FieldErrors errors) {
        if (value.length() > length) {
            errors.invalid(Path.of(field), "", "can have at most " + length + " characters");
        }
    }
}
