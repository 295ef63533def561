package dev.berth.kubernetes.cursor;

/**
 * Walks through one object, field by field, whatever language it is written in. At each field that
 * {@link #nextField} stops at, exactly one of the reading methods is called, or {@link #skip}. A repeated field is stopped
 * at once for each element, a map once for each entry.
 *
 * <pre>{@code
 * in.enter();
 * for (int field = in.next(NAMES); field != 0; field = in.next(NAMES)) {
 *     switch (field) {
 *         case 1 -> name = in.text();
 *         default -> in.skip();
 *     }
 * }
 * in.leave();
 * }</pre>
 */
public interface Cursor {
    /** Goes to the next field of the message and returns its number, or 0 at the end. Others than named may come. */
    int nextField(FieldNames names);

    /** The field is a message: goes inside. */
    void enter();

    /** Goes back to the message around; the end of the inner one must have been reached. */
    void leave();

    /** A text that many objects have: equal ones are shared. */
    String text();

    /** A text that is this object's own. */
    String uninternedText();

    long number();

    boolean flag();

    /** A time, in milliseconds since 1970. */
    long epochMillis();

    /** The text of a quantity. */
    String quantity();

    /** The field is an entry of a map: its key. One of the two next may follow, for the value. */
    String mapKey();

    String mapValueText();

    String mapValueQuantity();

    /**
     * The field is a message in JSON: all of it, to be read later and more than once. For the few kinds of which a part
     * that makes no sense must not hide the rest.
     */
    byte[] rawJson();

    void skip();

    /** Which object it is, as far as that can be read, wherever the cursor stands: also after a reading method has thrown. */
    ObjectReference objectReference();

    /**
     * The whole object in JSON without what is nested too deep or is too long, wherever the cursor stands: also after a
     * reading method has thrown.
     *
     * @throws MalformedObjectException when nothing but an {@link #objectReference} can be known of it
     */
    byte[] recoverJson();
}
