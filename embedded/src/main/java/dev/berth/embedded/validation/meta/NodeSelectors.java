package dev.berth.embedded.validation.meta;

import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.text;
import static dev.berth.embedded.tree.Trees.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.Path;
import java.util.List;

/** Terms that choose nodes. */
public final class NodeSelectors {
    private NodeSelectors() {}

    /** A selector of at least one term. */
    public static void check(JsonNode selector, Path path, FieldErrors errors) {
        List<ObjectNode> terms = objects(selector, "nodeSelectorTerms");
        Path here = path.child("nodeSelectorTerms");
        if (terms.isEmpty()) {
            errors.required(here, "must have at least one node selector term");
        }
        here.each(terms, (term, at) -> checkTerm(term, true, at, errors));
    }

    /** One term; where values are only preferred they may be anything. */
    public static void checkTerm(JsonNode term, boolean checkValues, Path path, FieldErrors errors) {
        path.child("matchExpressions")
                .each(
                        objects(term, "matchExpressions"),
                        (requirement, here) -> expression(requirement, checkValues, here, errors));
        path.child("matchFields")
                .each(objects(term, "matchFields"), (requirement, here) -> field(requirement, here, errors));
    }

    private static void expression(ObjectNode requirement, boolean checkValues, Path path, FieldErrors errors) {
        String operator = text(requirement, "operator");
        List<String> values = texts(requirement, "values");
        if (operator.equals("Gt") || operator.equals("Lt")) {
            if (values.size() != 1) {
                errors.required(path.child("values"), "must be specified single value when `operator` is 'Lt' or 'Gt'");
            }
        } else {
            Labels.checkOperator(operator, values, path, errors);
        }
        String key = text(requirement, "key");
        errors.invalid(path.child("key"), key, Names.qualified(key));
        if (checkValues) {
            path.child("values").each(values, (value, at) -> errors.invalid(at, value, Names.labelValue(value)));
        }
    }

    private static void field(ObjectNode requirement, Path path, FieldErrors errors) {
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
            path.child("values").each(values, (value, at) -> errors.invalid(at, value, Names.subdomain(value)));
        }
    }
}
