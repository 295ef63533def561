package dev.berth.sandbox.printers;

import java.util.Optional;

/** What a row of a Table carries beside its cells: the {@code includeObject} of a request. */
public enum IncludeObject {
    NONE,
    METADATA,
    OBJECT;

    /** The choice of that name; the empty name means metadata, an unknown one nothing. */
    public static Optional<IncludeObject> of(String name) {
        return switch (name) {
            case "None" -> Optional.of(NONE);
            case "", "Metadata" -> Optional.of(METADATA);
            case "Object" -> Optional.of(OBJECT);
            default -> Optional.empty();
        };
    }
}
