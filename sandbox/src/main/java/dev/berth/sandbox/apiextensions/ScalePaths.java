package dev.berth.sandbox.apiextensions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;

/**
 * The paths of the scale subresource, as simple JSON paths ({@code .spec.replicas}).
 *
 * @param labelSelector empty where the definition has none
 */
public record ScalePaths(String specReplicas, String statusReplicas, String labelSelector) {

    /** The value at a simple path, or a missing node. */
    public static JsonNode resolve(ObjectNode object, String path) {
        JsonNode value = object;
        for (String name : (path.startsWith(".") ? path.substring(1) : path).split("\\.", -1)) {
            value = value.path(name);
        }
        return value.isNull() ? MissingNode.getInstance() : value;
    }

    void checkSpec(ObjectNode object, FieldErrorList errors) {
        replicas(object, specReplicas, errors);
    }

    void checkStatus(ObjectNode object, FieldErrorList errors) {
        replicas(object, statusReplicas, errors);
        JsonNode selector = labelSelector.isEmpty() ? MissingNode.getInstance() : resolve(object, labelSelector);
        if (!selector.isMissingNode() && !selector.isTextual()) {
            errors.invalid(FieldPath.of(labelSelector), "", wrongType(labelSelector, selector, "string"));
        }
    }

    private static void replicas(ObjectNode object, String path, FieldErrorList errors) {
        JsonNode value = resolve(object, path);
        if (value.isMissingNode()) {
            return;
        }
        if (!value.isIntegralNumber()) {
            errors.invalid(FieldPath.of(path), 0, wrongType(path, value, "int64"));
        } else if (value.longValue() < 0) {
            errors.invalid(FieldPath.of(path), value, "should be a non-negative integer");
        } else if (value.longValue() > Integer.MAX_VALUE) {
            errors.invalid(FieldPath.of(path), value, "should be less than or equal to " + Integer.MAX_VALUE);
        }
    }

    private static String wrongType(String path, JsonNode value, String wanted) {
        String type = value.isTextual() ? "string" : value.isBoolean() ? "bool" : "float64";
        String shown = value.isTextual() ? value.textValue() : GoFormat.format(value);
        return path + " accessor error: " + shown + " is of the type " + type + ", expected " + wanted;
    }
}
