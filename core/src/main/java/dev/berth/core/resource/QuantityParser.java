package dev.berth.core.resource;

import dev.berth.core.text.ForeignText;
import java.math.BigInteger;

/**
 * Parses a quantity: sign, number, suffix. The number is stored as digits without leading zeros and the position of the
 * point. So the cost is linear in the length of the text.
 */
final class QuantityParser {
    private static final int NANO_DIGITS = 9;
    private static final int LONGEST = 1_000;
    /** So many digits always fit into a long. */
    private static final int SHORT = 18;

    private static final BigInteger NANOS = BigInteger.TEN.pow(NANO_DIGITS);

    private final String text;
    private int at;
    private boolean negative;
    private final StringBuilder digits = new StringBuilder();
    /** The number of digits before the point; negative if there are zeros between the point and the digits. */
    private int point;

    QuantityParser(String text) {
        this.text = text;
    }

    /** If {@code capped}, a value that is too large becomes the maximum instead of being rejected. */
    Quantity parse(boolean capped) {
        if (text.isEmpty() || text.length() > LONGEST) {
            throw new MalformedQuantity(
                    ForeignText.truncate(text, LONGEST),
                    0,
                    "must have from 1 to %d characters, such as 500m or 2Gi".formatted(LONGEST));
        }
        sign();
        int numberAt = at;
        number();
        QuantitySuffix suffix = suffix();
        Quantity magnitude = suffix.format() == QuantityFormat.BINARY_SI ? binary(suffix) : decimal(suffix);
        if (magnitude.isTooLarge() && !capped) {
            throw new MalformedQuantity(text, numberAt, "must not exceed 2^63-1 (9223372036854775807)");
        }
        Quantity size = magnitude.isTooLarge() ? Quantity.largest(suffix.format()) : magnitude;
        return negative ? size.negated() : size;
    }

    private void sign() {
        char first = text.charAt(0);
        negative = first == '-';
        at = first == '-' || first == '+' ? 1 : 0;
    }

    private void number() {
        int start = at;
        boolean pointSeen = false;
        int seen = 0;
        for (; at < text.length(); at++) {
            char next = text.charAt(at);
            if (next == '.' && !pointSeen) {
                pointSeen = true;
            } else if (next >= '0' && next <= '9') {
                digit(next, pointSeen);
                seen++;
            } else {
                break;
            }
        }
        if (seen == 0) {
            throw new MalformedQuantity(text, start, "expected a number, such as 500m or 2Gi");
        }
    }

    private void digit(char next, boolean afterPoint) {
        boolean leadingZero = next == '0' && digits.length() == 0;
        if (!leadingZero) {
            digits.append(next);
            point += afterPoint ? 0 : 1;
        } else if (afterPoint) {
            point--;
        }
    }

    private QuantitySuffix suffix() {
        return QuantitySuffix.parse(text.substring(at))
                .orElseThrow(() -> new MalformedQuantity(
                        text,
                        at,
                        "suffix (%s) must be one of n u m k M G T P E Ki Mi Gi Ti Pi Ei or an exponent such as e3"
                                .formatted(text.substring(at))));
    }

    private Quantity decimal(QuantitySuffix suffix) {
        int wholeDigits = point + suffix.exponent();
        if (digits.length() == 0) {
            return Quantity.of(0, 0, suffix.format());
        }
        if (wholeDigits > 19) {
            return Quantity.TOO_LARGE;
        }
        long whole = 0;
        for (int i = 0; i < wholeDigits; i++) {
            int digit = digitAt(i);
            if (whole > (Long.MAX_VALUE - digit) / 10) {
                return Quantity.TOO_LARGE;
            }
            whole = whole * 10 + digit;
        }
        int nanos = 0;
        for (int i = wholeDigits; i < wholeDigits + NANO_DIGITS; i++) {
            nanos = nanos * 10 + digitAt(i);
        }
        return roundedUp(whole, nanos, hasMore(wholeDigits + NANO_DIGITS), suffix.format());
    }

    private Quantity binary(QuantitySuffix suffix) {
        if (digits.length() == 0) {
            return Quantity.of(0, 0, suffix.format());
        }
        if (point > 19) {
            return Quantity.TOO_LARGE;
        }
        int fraction = digits.length() - point;
        if (fraction == 0 && digits.length() <= SHORT) {
            long number = Long.parseLong(digits, 0, digits.length(), 10);
            boolean fits = number <= Long.MAX_VALUE >> suffix.exponent();
            return fits ? Quantity.of(number << suffix.exponent(), 0, suffix.format()) : Quantity.TOO_LARGE;
        }
        BigInteger[] rounded = new BigInteger(digits.toString())
                .shiftLeft(suffix.exponent())
                .multiply(NANOS)
                .divideAndRemainder(BigInteger.TEN.pow(fraction));
        BigInteger[] parts = rounded[0].divideAndRemainder(NANOS);
        if (parts[0].bitLength() > 63) {
            return Quantity.TOO_LARGE;
        }
        return roundedUp(
                parts[0].longValueExact(), parts[1].intValueExact(), rounded[1].signum() != 0, suffix.format());
    }

    private static Quantity roundedUp(long whole, int nanos, boolean more, QuantityFormat format) {
        if (!more) {
            return Quantity.of(whole, nanos, format);
        }
        if (nanos + 1 < Quantity.NANOS) {
            return Quantity.of(whole, nanos + 1, format);
        }
        return whole == Long.MAX_VALUE ? Quantity.TOO_LARGE : Quantity.of(whole + 1, 0, format);
    }

    private boolean hasMore(int from) {
        for (int i = Math.max(0, from); i < digits.length(); i++) {
            if (digits.charAt(i) != '0') {
                return true;
            }
        }
        return false;
    }

    /** The digit at this position, counted from the first digit that is not zero. */
    private int digitAt(int place) {
        return place < 0 || place >= digits.length() ? 0 : digits.charAt(place) - '0';
    }
}
