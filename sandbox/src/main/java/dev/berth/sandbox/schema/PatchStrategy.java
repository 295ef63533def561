package dev.berth.sandbox.schema;

/**
 * How a strategic merge patch treats a field.
 *
 * @param merge      elements of the list are merged, not the list replaced
 * @param retainKeys a patch may name the keys that stay
 * @param replace    the value is replaced as a whole
 * @param mergeKey   the field that tells elements apart; empty where there is none
 */
public record PatchStrategy(boolean merge, boolean retainKeys, boolean replace, String mergeKey) {

    /** Structs merge, lists are replaced. */
    public static final PatchStrategy NONE = new PatchStrategy(false, false, false, "");

    public PatchStrategy {
        if (merge && replace) {
            throw new IllegalArgumentException("a field cannot both merge and replace");
        }
    }
}
