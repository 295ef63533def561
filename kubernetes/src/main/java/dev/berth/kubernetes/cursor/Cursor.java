package dev.berth.kubernetes.cursor;

/**
 * Reads one object field by field, in protobuf or JSON. At each field at which {@link #nextField} stops, exactly one of
 * the reading methods is called, or {@link #skip}. It stops once for each element of a repeated field, and once for each
 * entry of a map.
 *
 * <pre>{@code
 * in.enter();
 * for (int field = in.nextField(NAMES); field != 0; field = in.nextField(NAMES)) {
 *     switch (field) {
 *         case 1 -> name = in.text();
 *         default -> in.skip();
 *     }
 * }
 * in.leave();
 * }</pre>
 */
public interface Cursor {
    /**
     * Moves to the next field of the message and returns its number, or 0 at the end. It may stop at fields that were
     * not requested.
     */
    int nextField(FieldNames names);

    /** The field is a message: moves into it. */
    void enter();

    /** Moves back to the enclosing message. The end of the inner message must have been reached. */
    void leave();

    /** A text that many objects have in common: equal texts are interned. */
    String text();

    /** A text that is usually different in each object. */
    String uninternedText();

    long number();

    boolean flag();

    /** A time, in milliseconds since 1970. */
    long epochMillis();

    /** The text of a quantity. */
    String quantity();

    /** The key of a map entry. One of the next two methods may follow, for the value. */
    String mapKey();

    String mapValueText();

    String mapValueQuantity();

    /**
     * A field that is a JSON object: all of it, to be parsed later and more than once. For the few kinds in which a
     * malformed part must not hide the rest.
     */
    byte[] rawJson();

    void skip();

    /**
     * The identity of the object, as far as it can be read. The cursor may be anywhere, even after a reading method has
     * thrown.
     */
    ObjectReference objectReference();

    /**
     * The whole object in JSON, without parts that are nested too deeply or too long. The cursor may be anywhere, even
     * after a reading method has thrown.
     *
     * @throws MalformedObjectException if only an {@link #objectReference} can be read
     */
    byte[] recoverJson();
}
