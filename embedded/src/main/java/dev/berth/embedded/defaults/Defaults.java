package dev.berth.embedded.defaults;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.tree.Trees;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The defaults of the built-in kinds. The API server applies them to whatever a client sends, on create
 * and on update, before admission; {@link Strategies} then does what belongs to the one or the other.
 */
public final class Defaults {
    private static final Map<String, Consumer<ObjectNode>> BY_KIND = Map.of();

    private Defaults() {}

    /** Fills what the object leaves open. Kinds without defaults stay as they are. */
    public static void apply(String group, String version, String kind, ObjectNode object) {
        Trees.fillObject(object, "metadata");
        BY_KIND.getOrDefault(group + "/" + kind, tree -> {}).accept(object);
    }
}
