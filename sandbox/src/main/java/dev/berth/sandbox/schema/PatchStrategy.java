package dev.berth.sandbox.schema;

/**
 * How a strategic merge patch treats a field.
 *
 * @param merge      the elements of the list are merged; otherwise the list is replaced
 * @param retainKeys a patch may list the keys to retain
 * @param replace    the value is replaced as a whole
 * @param mergeKey   the field that identifies list elements; empty if there is none
 */
public record PatchStrategy(boolean merge, boolean retainKeys, boolean replace, String mergeKey) {

    /** Structs are merged, lists are replaced. */
    public static final PatchStrategy NONE = new PatchStrategy(false, false, false, "");

    public PatchStrategy {
        if (merge && replace) {
            throw new IllegalArgumentException("a field cannot both merge and replace");
        }
    }
}
