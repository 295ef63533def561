package dev.berth.sandbox.validation.cluster;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.map;
import static dev.berth.sandbox.unstructured.NestedFields.nullSafeEquals;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Checks ConfigMaps and Secrets. */
public final class ConfigChecks {
    private static final int MOST_BYTES = 1024 * 1024;
    private static final FieldPath DATA = FieldPath.of("data");
    private static final String IMMUTABLE_MESSAGE = "field is immutable when `immutable` is set";

    private ConfigChecks() {}

    public static void configMap(ObjectNode config, FieldErrorList errors) {
        long bytes = 0;
        for (Map.Entry<String, String> entry : map(config, "data").entrySet()) {
            String key = entry.getKey();
            errors.invalid(DATA.key(key), key, NameChecks.configKey(key));
            if (at(config, "binaryData").has(key)) {
                errors.invalid(DATA.key(key), key, "duplicate of key present in binaryData");
            }
            bytes += entry.getValue().getBytes(StandardCharsets.UTF_8).length;
        }
        for (Map.Entry<String, String> entry : map(config, "binaryData").entrySet()) {
            String key = entry.getKey();
            errors.invalid(FieldPath.of("binaryData").key(key), key, NameChecks.configKey(key));
            bytes += decodedLength(entry.getValue());
        }
        if (bytes > MOST_BYTES) {
            errors.tooLong(FieldPath.ROOT, MOST_BYTES);
        }
    }

    private static int decodedLength(String base64) {
        return base64.length() / 4 * 3 - (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0);
    }

    public static void configMapUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        checkImmutable(before, after, List.of("data", "binaryData"), errors);
    }

    private static void checkImmutable(
            ObjectNode before, ObjectNode after, List<String> fields, FieldErrorList errors) {
        if (!flag(before, "immutable")) {
            return;
        }
        if (!flag(after, "immutable")) {
            errors.forbidden(FieldPath.of("immutable"), IMMUTABLE_MESSAGE);
        }
        for (String field : fields) {
            if (!nullSafeEquals(at(before, field), at(after, field))) {
                errors.forbidden(FieldPath.of(field), IMMUTABLE_MESSAGE);
            }
        }
    }

    public static void secret(ObjectNode secret, FieldErrorList errors) {
        long bytes = 0;
        for (Map.Entry<String, String> entry : map(secret, "data").entrySet()) {
            errors.invalid(DATA.key(entry.getKey()), entry.getKey(), NameChecks.configKey(entry.getKey()));
            bytes += decodedLength(entry.getValue());
        }
        if (bytes > MOST_BYTES) {
            errors.tooLong(DATA, MOST_BYTES);
        }
    }

    public static void secretUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        ObjectMetaChecks.checkUnchanged(at(before, "type"), at(after, "type"), FieldPath.of("type"), errors);
        checkImmutable(before, after, List.of("data"), errors);
    }
}
