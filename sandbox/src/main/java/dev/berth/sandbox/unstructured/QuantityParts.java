package dev.berth.sandbox.unstructured;

import java.math.BigDecimal;

/**
 * The parts of a quantity's text.
 *
 * @param number   the signed number before the suffix
 * @param whole    the digits before the point without leading zeros; {@code 0} if there are none
 * @param fraction the digits after the point
 */
record QuantityParts(BigDecimal number, String whole, String fraction, String suffix) {

    private static final String SUFFIX_LETTERS = "eEinumkKMGTP";

    static QuantityParts parse(String text) {
        if (text.isEmpty()) {
            throw malformed();
        }
        int start = isSign(text, 0) ? 1 : 0;
        int point = afterDigits(text, start);
        int end = point < text.length() && text.charAt(point) == '.' ? afterDigits(text, point + 1) : point;
        requireSuffix(text, end);
        String whole = withoutLeadingZeros(text.substring(start, point));
        String fraction = end > point ? text.substring(point + 1, end) : "";
        BigDecimal magnitude = new BigDecimal(whole + (fraction.isEmpty() ? "" : "." + fraction));
        BigDecimal number = text.charAt(0) == '-' ? magnitude.negate() : magnitude;
        return new QuantityParts(number, whole, fraction, text.substring(end));
    }

    /** Letters, a sign and digits, in this order. Each may be absent. */
    private static void requireSuffix(String text, int from) {
        int position = from;
        while (position < text.length() && SUFFIX_LETTERS.indexOf(text.charAt(position)) >= 0) {
            position++;
        }
        if (isSign(text, position)) {
            position++;
        }
        if (afterDigits(text, position) < text.length()) {
            throw malformed();
        }
    }

    private static boolean isSign(String text, int position) {
        return position < text.length() && (text.charAt(position) == '-' || text.charAt(position) == '+');
    }

    private static int afterDigits(String text, int from) {
        int position = from;
        while (position < text.length() && text.charAt(position) >= '0' && text.charAt(position) <= '9') {
            position++;
        }
        return position;
    }

    private static String withoutLeadingZeros(String digits) {
        int first = 0;
        while (first < digits.length() && digits.charAt(first) == '0') {
            first++;
        }
        return first == digits.length() ? "0" : digits.substring(first);
    }

    private static IllegalArgumentException malformed() {
        return new IllegalArgumentException(StoredQuantity.FORMAT_MESSAGE);
    }
}
