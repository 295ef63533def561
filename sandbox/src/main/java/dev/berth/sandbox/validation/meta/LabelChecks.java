package dev.berth.sandbox.validation.meta;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.map;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import java.util.List;
import java.util.Map;

/** Checks labels and label selectors. */
public final class LabelChecks {
    private LabelChecks() {}

    public static void check(JsonNode labels, FieldPath path, FieldErrorList errors) {
        map(labels).forEach((key, value) -> {
            errors.invalid(path, key, NameChecks.qualifiedName(key));
            errors.invalid(path, value, NameChecks.labelValue(value));
        });
    }

    /** Checks a label selector. A missing selector is valid. */
    public static void checkSelector(JsonNode selector, FieldPath path, FieldErrorList errors) {
        check(at(selector, "matchLabels"), path.child("matchLabels"), errors);
        List<ObjectNode> requirements = objects(selector, "matchExpressions");
        for (int i = 0; i < requirements.size(); i++) {
            checkRequirement(requirements.get(i), path.child("matchExpressions").index(i), errors);
        }
    }

    private static void checkRequirement(ObjectNode requirement, FieldPath path, FieldErrorList errors) {
        List<String> values = texts(requirement, "values");
        checkOperator(text(requirement, "operator"), values, path, errors);
        String key = text(requirement, "key");
        errors.invalid(path.child("key"), key, NameChecks.qualifiedName(key));
        for (int i = 0; i < values.size(); i++) {
            errors.invalid(path.child("values").index(i), values.get(i), NameChecks.labelValue(values.get(i)));
        }
    }

    /** Checks that the operator is a standard one, and that values are present only where the operator takes values. */
    static void checkOperator(String operator, List<String> values, FieldPath path, FieldErrorList errors) {
        switch (operator) {
            case "In", "NotIn" -> {
                if (values.isEmpty()) {
                    errors.required(path.child("values"), "must be specified when `operator` is 'In' or 'NotIn'");
                }
            }
            case "Exists", "DoesNotExist" -> {
                if (!values.isEmpty()) {
                    errors.forbidden(
                            path.child("values"), "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
                }
            }
            default -> errors.invalid(path.child("operator"), operator, "not a valid selector operator");
        }
    }

    /** Whether the selector has no requirements. */
    public static boolean isEmpty(JsonNode selector) {
        return at(selector, "matchLabels").isEmpty()
                && items(selector, "matchExpressions").isEmpty();
    }

    /** Whether a valid selector matches the labels. */
    public static boolean matches(JsonNode selector, JsonNode labels) {
        Map<String, String> own = map(labels);
        boolean equal = map(at(selector, "matchLabels")).entrySet().stream()
                .allMatch(required -> required.getValue().equals(own.getOrDefault(required.getKey(), "\0")));
        return equal
                && objects(selector, "matchExpressions").stream()
                        .allMatch(requirement -> matchesRequirement(requirement, own));
    }

    private static boolean matchesRequirement(ObjectNode requirement, Map<String, String> labels) {
        String key = text(requirement, "key");
        boolean present = labels.containsKey(key);
        boolean listed = present && texts(requirement, "values").contains(labels.get(key));
        return switch (text(requirement, "operator")) {
            case "In" -> listed;
            case "NotIn" -> !listed;
            case "Exists" -> present;
            case "DoesNotExist" -> !present;
            default -> false;
        };
    }
}
