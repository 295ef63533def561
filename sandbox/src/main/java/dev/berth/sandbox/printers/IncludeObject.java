package dev.berth.sandbox.printers;

import java.util.Optional;

/** The {@code includeObject} parameter of a request: what a Table row contains in addition to its cells. */
public enum IncludeObject {
    NONE,
    METADATA,
    OBJECT;

    /** Parses the parameter. An empty value means metadata, and an unknown value is absent. */
    public static Optional<IncludeObject> of(String name) {
        return switch (name) {
            case "None" -> Optional.of(NONE);
            case "", "Metadata" -> Optional.of(METADATA);
            case "Object" -> Optional.of(OBJECT);
            default -> Optional.empty();
        };
    }
}
