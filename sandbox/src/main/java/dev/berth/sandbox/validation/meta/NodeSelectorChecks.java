package dev.berth.sandbox.validation.meta;

import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import java.util.List;

/** Checks node selectors and their terms. */
public final class NodeSelectorChecks {
    private NodeSelectorChecks() {}

    /** Checks a node selector, which must have at least one term. */
    public static void check(JsonNode selector, FieldPath path, FieldErrorList errors) {
        List<ObjectNode> terms = objects(selector, "nodeSelectorTerms");
        FieldPath here = path.child("nodeSelectorTerms");
        if (terms.isEmpty()) {
            errors.required(here, "must have at least one node selector term");
        }
        here.forEachIndexed(terms, (term, at) -> checkTerm(term, true, at, errors));
    }

    /**
     * Checks one term.
     *
     * @param checkValues false for preferred terms, whose values are not checked
     */
    public static void checkTerm(JsonNode term, boolean checkValues, FieldPath path, FieldErrorList errors) {
        path.child("matchExpressions")
                .forEachIndexed(
                        objects(term, "matchExpressions"),
                        (requirement, here) -> expression(requirement, checkValues, here, errors));
        path.child("matchFields")
                .forEachIndexed(objects(term, "matchFields"), (requirement, here) -> field(requirement, here, errors));
    }

    private static void expression(ObjectNode requirement, boolean checkValues, FieldPath path, FieldErrorList errors) {
        String operator = text(requirement, "operator");
        List<String> values = texts(requirement, "values");
        if (operator.equals("Gt") || operator.equals("Lt")) {
            if (values.size() != 1) {
                errors.required(path.child("values"), "must be specified single value when `operator` is 'Lt' or 'Gt'");
            }
        } else {
            LabelChecks.checkOperator(operator, values, path, errors);
        }
        String key = text(requirement, "key");
        errors.invalid(path.child("key"), key, NameChecks.qualifiedName(key));
        if (checkValues) {
            path.child("values")
                    .forEachIndexed(values, (value, at) -> errors.invalid(at, value, NameChecks.labelValue(value)));
        }
    }

    private static void field(ObjectNode requirement, FieldPath path, FieldErrorList errors) {
        String operator = text(requirement, "operator");
        List<String> values = texts(requirement, "values");
        if (!operator.equals("In") && !operator.equals("NotIn")) {
            errors.invalid(path.child("operator"), operator, "not a valid selector operator");
        } else if (values.size() != 1) {
            errors.required(
                    path.child("values"),
                    "must be only one value when `operator` is 'In' or 'NotIn' for node field selector");
        }
        String key = text(requirement, "key");
        if (!key.equals("metadata.name")) {
            errors.invalid(path.child("key"), key, "not a valid field selector key");
        } else {
            path.child("values")
                    .forEachIndexed(values, (value, at) -> errors.invalid(at, value, NameChecks.dnsSubdomain(value)));
        }
    }
}
