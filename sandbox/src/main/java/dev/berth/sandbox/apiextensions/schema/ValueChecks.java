package dev.berth.sandbox.apiextensions.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.sandbox.validation.field.FieldError;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.field.GoFormat;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Validates values by a schema, with the messages of the real API server. On update, an unchanged value
 * is not checked again, so that a stricter schema does not block objects that were valid before.
 */
public final class ValueChecks {
    private final FieldErrorList errors;
    private final FieldPath prefix;

    private ValueChecks(FieldErrorList errors, FieldPath prefix) {
        this.errors = errors;
        this.prefix = prefix;
    }

    /** Checks a new object. */
    public static void check(JsonNode value, StructuralSchema schema, FieldErrorList errors) {
        new ValueChecks(errors, FieldPath.ROOT).value("", value, MissingNode.getInstance(), schema);
    }

    /** Validates an update of the value at the prefix; messages omit the prefix. */
    public static void checkUpdate(
            JsonNode before, JsonNode after, StructuralSchema schema, FieldPath prefix, FieldErrorList errors) {
        new ValueChecks(errors, prefix).value("", after, before, schema);
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private FieldPath at(String path) {
        return path.isEmpty() ? prefix : prefix.child(path);
    }

    private void value(String path, JsonNode value, JsonNode old, StructuralSchema schema) {
        if (!old.isMissingNode() && old.equals(value)) {
            return;
        }
        if (value.isNull()) {
            if (!schema.types().isEmpty() && !schema.nullable()) {
                wrongType(path, schema, "null");
            }
            checkAllowed(path, value, schema);
            return;
        }
        checkType(path, value, schema);
        checkCombinations(path, value, old, schema);
        if (value.isTextual()) {
            checkText(path, value.textValue(), schema.valueValidation());
        } else if (value.isNumber()) {
            NumberChecks.check(path, at(path), value, schema, errors);
        } else if (value.isArray()) {
            checkArray(path, value, old, schema);
        }
        checkAllowed(path, value, schema);
        if (value.isObject()) {
            checkObject(path, value, old, schema);
        }
    }

    private void checkAllowed(String path, JsonNode value, StructuralSchema schema) {
        List<JsonNode> allowed = schema.valueValidation().allowed;
        if (!allowed.isEmpty() && allowed.stream().noneMatch(choice -> same(choice, value))) {
            List<String> words = new ArrayList<>();
            allowed.forEach(choice -> words.add(choice.isTextual() ? choice.textValue() : choice.toString()));
            errors.add(FieldError.notSupported(at(path), value, words));
        }
    }

    private static boolean same(JsonNode a, JsonNode b) {
        boolean numbers = a.isNumber() && b.isNumber();
        return numbers ? a.decimalValue().compareTo(b.decimalValue()) == 0 : a.equals(b);
    }

    private void checkType(String path, JsonNode value, StructuralSchema schema) {
        String found = typeOf(value);
        List<String> types = schema.types();
        boolean whole = found.equals("number") && types.contains("integer") && NumberChecks.isWhole(value);
        boolean counted = found.equals("integer") && types.contains("number");
        if (!types.isEmpty() && !types.contains(found) && !whole && !counted) {
            wrongType(path, schema, found);
        }
    }

    private void wrongType(String path, StructuralSchema schema, String found) {
        String words =
                path + " in body must be of type " + String.join(",", schema.types()) + ": " + GoFormat.quote(found);
        errors.add(new FieldError(at(path).toString(), FieldError.Type.TYPE_INVALID, GoFormat.node(found), words));
    }

    private static String typeOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> "string";
            case BOOLEAN -> "boolean";
            case ARRAY -> "array";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            case OBJECT, POJO, BINARY, MISSING -> "object";
            case NULL -> "null";
        };
    }

    private void checkText(String path, String value, ValueValidation rules) {
        long length = value.codePointCount(0, value.length());
        if (rules.maxLength.isPresent() && length > rules.maxLength.getAsLong()) {
            errors.tooLong(at(path), (int) rules.maxLength.getAsLong());
        } else if (rules.minLength.isPresent() && length < rules.minLength.getAsLong()) {
            errors.invalid(
                    at(path),
                    value,
                    path + " in body should be at least " + rules.minLength.getAsLong() + " chars long");
        } else if (rules.pattern.isPresent() && !rules.pattern.get().matches(value)) {
            errors.invalid(at(path), value, path + " in body should match '" + rules.patternText + "'");
        }
        if (!rules.format.isEmpty() && !Formats.matches(rules.format, value)) {
            String words = path + " in body must be of type " + rules.format + ": " + GoFormat.quote(value);
            errors.add(new FieldError(at(path).toString(), FieldError.Type.TYPE_INVALID, GoFormat.node(value), words));
        }
    }

    private void checkArray(String path, JsonNode array, JsonNode old, StructuralSchema schema) {
        schema.items().ifPresent(items -> {
            for (int i = 0; i < array.size(); i++) {
                JsonNode before = ListUniquenessChecks.findOldElement(array.get(i), old, schema);
                value(path + "[" + i + "]", array.get(i), before, items);
            }
        });
        ValueValidation rules = schema.valueValidation();
        if (rules.minItems.isPresent() && array.size() < rules.minItems.getAsLong()) {
            errors.invalid(
                    at(path),
                    array.size(),
                    path + " in body should have at least " + rules.minItems.getAsLong() + " items");
        }
        if (rules.maxItems.isPresent() && array.size() > rules.maxItems.getAsLong()) {
            errors.add(FieldError.tooMany(at(path), array.size(), (int) rules.maxItems.getAsLong()));
        }
        if (rules.uniqueItems) {
            Set<JsonNode> seen = new HashSet<>();
            array.forEach(seen::add);
            if (seen.size() < array.size()) {
                errors.invalid(at(path), "", path + " in body shouldn't contain duplicates");
            }
        }
    }

    private void checkObject(String path, JsonNode object, JsonNode old, StructuralSchema schema) {
        ValueValidation rules = schema.valueValidation();
        if (rules.minProperties.isPresent() && object.size() < rules.minProperties.getAsLong()) {
            errors.invalid(
                    at(path),
                    object.size(),
                    path + " in body should have at least " + rules.minProperties.getAsLong() + " properties");
        }
        if (rules.maxProperties.isPresent() && object.size() > rules.maxProperties.getAsLong()) {
            errors.add(FieldError.tooMany(at(path), object.size(), (int) rules.maxProperties.getAsLong()));
        }
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            schema.field(entry.getKey())
                    .ifPresent(field ->
                            value(child(path, entry.getKey()), entry.getValue(), old.path(entry.getKey()), field));
        }
        for (String name : rules.required) {
            if (!object.has(name)) {
                errors.required(at(child(path, name)));
            }
        }
    }

    private void checkCombinations(String path, JsonNode value, JsonNode old, StructuralSchema schema) {
        ValueValidation rules = schema.valueValidation();
        anyOf(path, value, old, rules.anyOf);
        oneOf(path, value, old, rules.oneOf);
        allOf(path, value, old, rules.allOf);
        if (rules.not.isPresent() && problems(path, value, old, rules.not.get()).isEmpty()) {
            addCombinationError(path, "must not validate the schema (not)");
        }
    }

    private List<FieldError> problems(String path, JsonNode value, JsonNode old, StructuralSchema schema) {
        FieldErrorList found = new FieldErrorList();
        new ValueChecks(found, prefix).value(path, value, old, schema);
        return found.list();
    }

    private void anyOf(String path, JsonNode value, JsonNode old, List<StructuralSchema> choices) {
        if (choices.isEmpty()) {
            return;
        }
        List<FieldError> first = List.of();
        for (StructuralSchema choice : choices) {
            List<FieldError> found = problems(path, value, old, choice);
            if (found.isEmpty()) {
                return;
            }
            first = first.isEmpty() ? found : first;
        }
        addCombinationError(path, "must validate at least one schema (anyOf)");
        errors.addAll(first);
    }

    private void oneOf(String path, JsonNode value, JsonNode old, List<StructuralSchema> choices) {
        if (choices.isEmpty()) {
            return;
        }
        int good = 0;
        List<FieldError> first = List.of();
        for (StructuralSchema choice : choices) {
            List<FieldError> found = problems(path, value, old, choice);
            good += found.isEmpty() ? 1 : 0;
            first = first.isEmpty() ? found : first;
        }
        if (good != 1) {
            String words = good == 0 ? "Found none valid" : "Found " + good + " valid alternatives";
            addCombinationError(path, "must validate one and only one schema (oneOf). " + words);
            if (good == 0) {
                errors.addAll(first);
            }
        }
    }

    private void allOf(String path, JsonNode value, JsonNode old, List<StructuralSchema> choices) {
        int good = 0;
        for (StructuralSchema choice : choices) {
            List<FieldError> found = problems(path, value, old, choice);
            good += found.isEmpty() ? 1 : 0;
            errors.addAll(found);
        }
        if (good < choices.size()) {
            addCombinationError(path, "must validate all the schemas (allOf)" + (good == 0 ? ". None validated" : ""));
        }
    }

    /** The server cannot say at which field a combination failed, and says so. */
    private void addCombinationError(String path, String words) {
        FieldPath nowhere = prefix.toString().isEmpty() ? FieldPath.of("<nil>") : prefix;
        errors.invalid(nowhere, "", GoFormat.quote(path) + " " + words);
    }
}
