package dev.berth.kubernetes.cursor;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Interns strings in a table of fixed size: a newer string replaces an older one, so that strings which change all the
 * time cannot fill the memory. Two slots for each hash keep two frequent strings from evicting each other.
 */
public final class StringInterner {
    private static final int SLOTS = 1 << 15;
    private static final int MAX_LENGTH = 256;

    private final @Nullable String[] slots = new String[SLOTS];

    public String intern(byte[] bytes, int from, int length) {
        if (length == 0) {
            return "";
        }
        if (length > MAX_LENGTH) {
            return new String(bytes, from, length, StandardCharsets.UTF_8);
        }
        int hash = 0;
        for (int i = from; i < from + length; i++) {
            hash = 31 * hash + bytes[i];
        }
        int slot = slot(hash);
        for (int i = slot; i < slot + 2; i++) {
            String interned = slots[i];
            if (interned != null && equalsAscii(interned, bytes, from, length)) {
                return interned;
            }
        }
        return store(slot, new String(bytes, from, length, StandardCharsets.UTF_8));
    }

    public String intern(String text) {
        if (text.length() > MAX_LENGTH) {
            return text;
        }
        int slot = slot(text.hashCode());
        for (int i = slot; i < slot + 2; i++) {
            if (text.equals(slots[i])) {
                return text.equals("") ? "" : slotValue(i);
            }
        }
        return store(slot, text);
    }

    private String slotValue(int slot) {
        String interned = slots[slot];
        if (interned == null) {
            throw new IllegalStateException("slot (%d) is empty".formatted(slot));
        }
        return interned;
    }

    private String store(int slot, String text) {
        slots[slot + 1] = slots[slot];
        slots[slot] = text;
        return text;
    }

    /** For ASCII the hash equals {@link String#hashCode}. */
    private static int slot(int hash) {
        return ((hash * 0x9e3779b9) >>> 17) & (SLOTS - 2);
    }

    /** Bytes beyond ASCII never match: such a string is decoded each time and not interned. */
    private static boolean equalsAscii(String text, byte[] bytes, int from, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (bytes[from + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
