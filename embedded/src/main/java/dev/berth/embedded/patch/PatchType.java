package dev.berth.embedded.patch;

import dev.berth.embedded.schema.FieldSchema;
import dev.berth.embedded.schema.FieldType;
import dev.berth.embedded.schema.PatchRule;

/** What the schema says of a value that is being patched. */
record PatchType(FieldType type, PatchRule rule) {

    /** What is known of a value of which nothing is known: objects merge, lists are replaced. */
    private static final PatchType UNKNOWN = new PatchType(FieldType.Scalar.JSON, PatchRule.NONE);

    /** The value under a key of this object. */
    PatchType member(String key) throws PatchException {
        if (type instanceof FieldType.StructOf structOf) {
            FieldSchema field = structOf.struct().jsonFields().get(key);
            if (field == null) {
                throw PatchException.doesNotApply("unable to find api field in struct %s for the json field \"%s\""
                        .formatted(structOf.struct().shortName(), key));
            }
            return new PatchType(field.type(), field.patch());
        }
        if (type instanceof FieldType.MapOf map) {
            return new PatchType(map.value(), PatchRule.NONE);
        }
        return type instanceof FieldType.Union union
                ? new PatchType(new FieldType.StructOf(union.schema()), PatchRule.NONE).member(key)
                : UNKNOWN;
    }

    /** An element of this list. */
    PatchType element() {
        return type instanceof FieldType.ListOf list ? new PatchType(list.element(), PatchRule.NONE) : UNKNOWN;
    }

    String mergeKey() {
        return rule.mergeKey();
    }
}
