package dev.berth.embedded.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.tree.Trees;
import dev.berth.embedded.validation.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds the rules of a definition that are written as CEL expressions, which this server keeps but does not evaluate. */
public final class UnevaluatedRules {

    private static final String RULES = "x-kubernetes-validations";

    private final List<String> warnings = new ArrayList<>();

    private UnevaluatedRules() {}

    /** One warning for each place of a definition that has such rules. */
    public static List<String> in(ObjectNode definition) {
        UnevaluatedRules found = new UnevaluatedRules();
        Path.of("spec", "versions")
                .each(
                        Trees.objects(definition, "spec", "versions"),
                        (version, path) -> found.schema(
                                Trees.at(version, "schema", "openAPIV3Schema"),
                                path.child("schema").child("openAPIV3Schema")));
        return found.warnings;
    }

    private void schema(JsonNode schema, Path path) {
        if (!schema.path(RULES).isEmpty()) {
            warnings.add(path.child(RULES)
                    + ": CEL rules are not evaluated by this server, so objects that break them are accepted");
        }
        schema.path("properties")
                .properties()
                .forEach(
                        each -> schema(each.getValue(), path.child("properties").key(each.getKey())));
        for (String part : List.of("items", "additionalProperties")) {
            if (schema.path(part).isObject()) {
                schema(schema.path(part), path.child(part));
            }
        }
    }
}
