package dev.berth.sandbox.patch;

import dev.berth.sandbox.schema.FieldSchema;
import dev.berth.sandbox.schema.FieldType;
import dev.berth.sandbox.schema.PatchStrategy;

/** The schema of a value that is patched. */
record PatchMeta(FieldType type, PatchStrategy strategy) {

    /** The rules without a schema: objects merge, lists are replaced. */
    private static final PatchMeta UNKNOWN = new PatchMeta(FieldType.Scalar.JSON, PatchStrategy.NONE);

    /** The value under a key of this object. */
    PatchMeta member(String key) throws PatchException {
        if (type instanceof FieldType.StructOf structOf) {
            FieldSchema field = structOf.struct().jsonFields().get(key);
            if (field == null) {
                throw PatchException.doesNotApply("unable to find api field in struct %s for the json field \"%s\""
                        .formatted(structOf.struct().shortName(), key));
            }
            return new PatchMeta(field.type(), field.patch());
        }
        if (type instanceof FieldType.MapOf map) {
            return new PatchMeta(map.value(), PatchStrategy.NONE);
        }
        return type instanceof FieldType.Union union
                ? new PatchMeta(new FieldType.StructOf(union.schema()), PatchStrategy.NONE).member(key)
                : UNKNOWN;
    }

    /** An element of this list. */
    PatchMeta element() {
        return type instanceof FieldType.ListOf list ? new PatchMeta(list.element(), PatchStrategy.NONE) : UNKNOWN;
    }

    String mergeKey() {
        return strategy.mergeKey();
    }
}
