package dev.berth.core.decision;

/**
 * What became of a {@link Effect.Write}. A busy or silent server is asked again until it says one of these.
 *
 * @param request the verb and the resource of a denied request, as in {@code patch pods/status}; may be empty
 */
public record Outcome(Kind kind, String message, String request) {
    public Outcome(Kind kind, String message) {
        this(kind, message, "");
    }

    /** What the API server made of it. */
    public enum Kind {
        WRITTEN,
        /** The object is another by now, or there already is one of this name: look again and decide anew. */
        CONFLICT,
        /** There is no such object. */
        GONE,
        /** It will be refused whenever it is asked. */
        DENIED
    }

    public static final Outcome WRITTEN = new Outcome(Kind.WRITTEN, "");
}
