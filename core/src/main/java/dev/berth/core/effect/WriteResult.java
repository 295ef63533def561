package dev.berth.core.effect;

/**
 * What became of a {@link Effect.Write}. A busy or silent server is asked again until it says one of these.
 *
 * @param request the verb and the resource of a denied request, as in {@code patch pods/status}; may be empty
 */
public record WriteResult(Kind kind, String message, String request) {
    public WriteResult(Kind kind, String message) {
        this(kind, message, "");
    }

    /** What the API server made of it. */
    public enum Kind {
        WRITTEN,
        /** The object is another by now, or there already is one of this name: look again and decide anew. */
        CONFLICT,
        /** There is no such object. */
        NOT_FOUND,
        /** It will be refused whenever it is asked. */
        DENIED
    }

    public static final WriteResult WRITTEN = new WriteResult(Kind.WRITTEN, "");
}
