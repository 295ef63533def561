package dev.berth.sandbox.schema.json;

import dev.berth.sandbox.schema.value.DecodingException;
import java.util.Base64;

/** Decodes base64 as Go does: padding is required, line breaks are ignored. */
final class Base64Text {

    private Base64Text() {}

    static String canonical(String text) throws DecodingException {
        String plain = text.indexOf('\n') < 0 && text.indexOf('\r') < 0
                ? text
                : text.replace("\n", "").replace("\r", "");
        int invalid = firstInvalid(plain);
        if (invalid >= 0) {
            throw new DecodingException("illegal base64 data at input byte " + invalid);
        }
        try {
            return Base64.getEncoder().encodeToString(Base64.getDecoder().decode(plain));
        } catch (IllegalArgumentException e) {
            throw new DecodingException("illegal base64 data at input byte " + plain.length());
        }
    }

    private static int firstInvalid(String plain) {
        for (int i = 0; i < plain.length(); i++) {
            char c = plain.charAt(i);
            boolean letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            boolean padding = c == '=' && i >= plain.length() - 2;
            if (!letter && !padding && c != '+' && c != '/') {
                return i;
            }
        }
        return plain.length() % 4 == 0 ? -1 : plain.length();
    }
}
