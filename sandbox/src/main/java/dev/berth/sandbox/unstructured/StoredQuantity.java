package dev.berth.sandbox.unstructured;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.core.resource.QuantityFormat;
import dev.berth.core.resource.QuantitySuffix;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * A quantity as the API server stores it. It differs from {@link dev.berth.core.resource.Quantity} in two ways: it may be
 * larger than 2⁶³−1, and its text is kept as written if the server keeps it, such as {@code 1.234}.
 */
public final class StoredQuantity implements Comparable<StoredQuantity> {
    /** The message of the API server for a text that is not a quantity. */
    public static final String FORMAT_MESSAGE =
            "quantities must match the regular expression " + "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

    private static final int MAX_EXPONENT = 1_000;
    private static final int NANO_DIGITS = 9;
    private static final int MILLI_DIGITS = 3;
    /** The exponent of {@code E}, the largest decimal suffix. */
    private static final int EXA = 18;

    private static final int MAX_KEPT_DIGITS = 18;
    private static final BigDecimal MAX_BINARY = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);
    private static final int KIBI_BITS = 10;
    private static final int MAX_BINARY_EXPONENT = 60;

    private final BigDecimal value;
    private final String text;

    private StoredQuantity(BigDecimal value, String text) {
        this.value = value;
        this.text = text;
    }

    /** The quantity in a text or number; empty if it is not one. */
    public static Optional<StoredQuantity> of(JsonNode node) {
        boolean isScalar = node.isTextual() || node.isNumber();
        return isScalar ? parseIfValid(node.asText().strip()) : Optional.empty();
    }

    /** The quantity in the text; empty if it is not one. */
    public static Optional<StoredQuantity> parseIfValid(String text) {
        try {
            return Optional.of(parse(text));
        } catch (IllegalArgumentException malformed) {
            return Optional.empty();
        }
    }

    /**
     * Parses a quantity.
     *
     * @throws IllegalArgumentException with the message of the API server, if the text is not a quantity
     */
    public static StoredQuantity parse(String text) {
        QuantityParts parts = QuantityParts.parse(text);
        QuantitySuffix suffix = QuantitySuffix.parse(parts.suffix())
                .filter(known -> Math.abs(known.exponent()) <= MAX_EXPONENT)
                .orElseThrow(() -> new IllegalArgumentException("unable to parse quantity's suffix"));
        BigDecimal value = value(parts.number(), suffix);
        return new StoredQuantity(value, keepsText(parts, suffix) ? text : write(value, suffix.format()));
    }

    /**
     * The canonical text: {@code 1024Mi} becomes {@code 1Gi}, {@code 0.5} becomes {@code 500m}.
     *
     * @throws IllegalArgumentException with the message of the API server, if the text is not a quantity
     */
    public static String canonicalize(String text) {
        return isPlainInteger(text) ? text : parse(text).toString();
    }

    /** Most quantities: up to 18 digits of a number that needs no suffix. */
    private static boolean isPlainInteger(String text) {
        int length = text.length();
        if (length == 0 || length > MAX_KEPT_DIGITS || text.charAt(0) == '0' || text.endsWith("000")) {
            return text.equals("0");
        }
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return false;
            }
        }
        return true;
    }

    private static BigDecimal value(BigDecimal number, QuantitySuffix suffix) {
        if (suffix.format() != QuantityFormat.BINARY_SI) {
            return roundUp(number.scaleByPowerOfTen(suffix.exponent()), NANO_DIGITS);
        }
        BigDecimal factor = new BigDecimal(BigInteger.ONE.shiftLeft(suffix.exponent()));
        return roundUp(number.multiply(factor), NANO_DIGITS).min(MAX_BINARY).max(MAX_BINARY.negate());
    }

    /** The API server keeps the text of a short number if it looks canonical, even if it is not. */
    private static boolean keepsText(QuantityParts parts, QuantitySuffix suffix) {
        String digits = parts.whole() + parts.fraction();
        if (suffix.format() == QuantityFormat.BINARY_SI) {
            return parts.fraction().isEmpty()
                    && digits.length() <= 14 - suffix.exponent() * 3 / 10
                    && (Long.parseLong(digits) & 7) != 0;
        }
        int scale = suffix.exponent() - parts.fraction().length();
        return digits.length() <= MAX_KEPT_DIGITS
                && scale >= -NANO_DIGITS
                && scale % 3 == 0
                && !digits.endsWith("000")
                && digits.charAt(0) != '0';
    }

    private static BigDecimal roundUp(BigDecimal value, int digits) {
        return value.scale() > digits ? value.setScale(digits, RoundingMode.UP) : value;
    }

    private static String write(BigDecimal value, QuantityFormat format) {
        if (value.signum() == 0) {
            return "0";
        }
        boolean binary = format == QuantityFormat.BINARY_SI
                && isInteger(value)
                && value.abs().compareTo(KIBI) >= 0;
        return binary ? writeBinary(value.toBigIntegerExact()) : writeDecimal(value, format);
    }

    private static String writeBinary(BigInteger value) {
        int exponent = Math.min(value.getLowestSetBit() / KIBI_BITS * KIBI_BITS, MAX_BINARY_EXPONENT);
        return value.shiftRight(exponent) + QuantitySuffix.write(QuantityFormat.BINARY_SI, exponent);
    }

    private static String writeDecimal(BigDecimal value, QuantityFormat format) {
        int exponent = Math.floorDiv(-value.stripTrailingZeros().scale(), 3) * 3;
        BigInteger mantissa = value.scaleByPowerOfTen(-exponent).toBigIntegerExact();
        if (format == QuantityFormat.DECIMAL_EXPONENT) {
            return mantissa + QuantitySuffix.write(format, exponent);
        }
        // There is no suffix above E, and then the API server writes none: 1000E becomes 1.
        return mantissa + (exponent > EXA ? "" : QuantitySuffix.write(QuantityFormat.DECIMAL_SI, exponent));
    }

    private static boolean isInteger(BigDecimal value) {
        return value.stripTrailingZeros().scale() <= 0;
    }

    /** Rounded up to thousandths, as the API server rounds the amounts of resource lists. */
    public StoredQuantity roundedUpToMilli() {
        if (value.stripTrailingZeros().scale() <= MILLI_DIGITS) {
            return this;
        }
        BigDecimal rounded = roundUp(value, MILLI_DIGITS);
        return new StoredQuantity(rounded, writeDecimal(rounded, QuantityFormat.DECIMAL_SI));
    }

    public BigDecimal value() {
        return value;
    }

    public int signum() {
        return value.signum();
    }

    public boolean isInteger() {
        return isInteger(value);
    }

    /** The sum, in the format of this quantity. */
    public StoredQuantity plus(StoredQuantity other) {
        BigDecimal sum = value.add(other.value);
        QuantityFormat format = text.endsWith("i") ? QuantityFormat.BINARY_SI : QuantityFormat.DECIMAL_SI;
        return new StoredQuantity(sum, write(sum, format));
    }

    @Override
    public int compareTo(StoredQuantity other) {
        return value.compareTo(other.value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StoredQuantity quantity && value.compareTo(quantity.value) == 0;
    }

    @Override
    public int hashCode() {
        return value.stripTrailingZeros().hashCode();
    }

    /** The text that the API server stores. */
    @Override
    public String toString() {
        return text;
    }
}
