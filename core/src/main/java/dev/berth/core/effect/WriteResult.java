package dev.berth.core.effect;

/**
 * The result of a {@link Effect.Write}. If the server is busy or does not answer, the write is sent again until one of
 * these is known.
 *
 * @param request the verb and the resource of a denied request, as in {@code patch pods/status}; may be empty
 */
public record WriteResult(ResultKind kind, String message, String request) {
    public WriteResult(ResultKind kind, String message) {
        this(kind, message, "");
    }

    public enum ResultKind {
        WRITTEN,
        /**
         * The object has another version, or an object of this name exists already: decide again on the present object.
         */
        CONFLICT,
        /** The object does not exist. */
        NOT_FOUND,
        /** The API server rejects the write, and would reject it again. */
        DENIED
    }

    public static final WriteResult WRITTEN = new WriteResult(ResultKind.WRITTEN, "");
}
