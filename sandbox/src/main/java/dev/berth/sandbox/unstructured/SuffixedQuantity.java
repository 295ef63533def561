package dev.berth.sandbox.unstructured;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount as Kubernetes writes it: {@code 100m}, {@code 1536Mi}, {@code 2e3}. Exact, not finer than a
 * billionth, and printed in the family of suffixes it was written in.
 */
public final class SuffixedQuantity implements Comparable<SuffixedQuantity> {
    /** What the API server answers to a text that is no quantity. */
    public static final String FORMAT_MESSAGE =
            "quantities must match the regular expression " + "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

    private static final Pattern FORM =
            Pattern.compile("([+-]?)0*([0-9]*)(\\.([0-9]*))?([KMGTPE]i|[numkMGTPE]?|[eE][-+]?[0-9]{1,5})");
    private static final BigDecimal LARGEST = new BigDecimal(Long.MAX_VALUE);
    private static final BigDecimal STEP = new BigDecimal(1024);
    private static final String DECIMAL = "num kMGTPE";
    private static final String BINARY = " KMGTPE";

    private enum SuffixFormat {
        DECIMAL,
        BINARY,
        EXPONENT
    }

    private final BigDecimal value;
    private final String text;

    private SuffixedQuantity(BigDecimal value, String text) {
        this.value = value;
        this.text = text;
    }

    /** The amount in a text or number, or nothing where it is none. */
    public static Optional<SuffixedQuantity> of(JsonNode node) {
        if (node.isTextual()) {
            return parse(node.textValue().strip());
        }
        return node.isNumber() ? parse(node.asText()) : Optional.empty();
    }

    /** The amount the text says, or nothing where it says none. */
    public static Optional<SuffixedQuantity> parse(String text) {
        Matcher parts = FORM.matcher(text);
        boolean digits = parts.matches() && text.chars().anyMatch(Character::isDigit);
        return digits ? Optional.of(read(text, parts)) : Optional.empty();
    }

    private static SuffixedQuantity read(String text, Matcher parts) {
        String whole = parts.group(2).isEmpty() ? "0" : parts.group(2);
        String fraction = parts.group(4) == null ? "" : parts.group(4);
        String suffix = parts.group(5);
        SuffixFormat suffixFormat = family(suffix);
        BigDecimal digits = new BigDecimal(new BigInteger(whole + fraction), fraction.length());
        BigDecimal amount = round(scaled(digits, suffix, suffixFormat), 9);
        if (suffixFormat == SuffixFormat.BINARY && amount.compareTo(LARGEST) > 0) {
            amount = LARGEST;
        }
        BigDecimal signed = parts.group(1).equals("-") ? amount.negate() : amount;
        boolean kept = suffixFormat == SuffixFormat.BINARY
                ? fraction.isEmpty() && keepsBinary(whole, BINARY.indexOf(suffix.charAt(0)))
                : keepsDecimal(whole, fraction, decimalExponent(suffix, suffixFormat));
        return new SuffixedQuantity(signed, kept ? text : write(signed, suffixFormat));
    }

    private static SuffixFormat family(String suffix) {
        if (suffix.length() < 2) {
            return SuffixFormat.DECIMAL;
        }
        return suffix.endsWith("i") ? SuffixFormat.BINARY : SuffixFormat.EXPONENT;
    }

    private static BigDecimal scaled(BigDecimal digits, String suffix, SuffixFormat suffixFormat) {
        return suffixFormat == SuffixFormat.BINARY
                ? digits.multiply(STEP.pow(BINARY.indexOf(suffix.charAt(0))))
                : digits.scaleByPowerOfTen(decimalExponent(suffix, suffixFormat));
    }

    private static int decimalExponent(String suffix, SuffixFormat suffixFormat) {
        if (suffixFormat == SuffixFormat.EXPONENT) {
            return Integer.parseInt(suffix.substring(1));
        }
        return suffix.isEmpty() ? 0 : 3 * (DECIMAL.indexOf(suffix.charAt(0)) - 3);
    }

    /** Kubernetes keeps the text of a short amount that looks canonical to it, also where it is not quite. */
    private static boolean keepsDecimal(String whole, String fraction, int exponent) {
        int scale = exponent - fraction.length();
        String digits = whole + fraction;
        return digits.length() <= 18
                && scale >= -9
                && scale % 3 == 0
                && !digits.endsWith("000")
                && digits.charAt(0) != '0';
    }

    private static boolean keepsBinary(String whole, int power) {
        return whole.length() + 3 * power <= 14 && (Long.parseLong(whole) & 7) != 0;
    }

    private static BigDecimal round(BigDecimal amount, int places) {
        return amount.scale() > places ? amount.setScale(places, RoundingMode.UP) : amount;
    }

    private static String write(BigDecimal value, SuffixFormat suffixFormat) {
        if (value.signum() == 0) {
            return "0";
        }
        boolean fractional = value.stripTrailingZeros().scale() > 0;
        if (suffixFormat == SuffixFormat.BINARY && value.abs().compareTo(STEP) >= 0 && !fractional) {
            return writeBinary(value.toBigIntegerExact());
        }
        return writeDecimal(value, suffixFormat);
    }

    private static String writeBinary(BigInteger value) {
        BigInteger rest = value;
        int power = 0;
        while (rest.getLowestSetBit() >= 10 && power < BINARY.length() - 1) {
            rest = rest.shiftRight(10);
            power++;
        }
        return rest + (power == 0 ? "" : BINARY.charAt(power) + "i");
    }

    private static String writeDecimal(BigDecimal value, SuffixFormat suffixFormat) {
        BigDecimal bare = value.stripTrailingZeros();
        int exponent = Math.floorDiv(-bare.scale(), 3) * 3;
        String digits = bare.scaleByPowerOfTen(-exponent).toBigIntegerExact().toString();
        if (exponent == 0) {
            return digits;
        }
        boolean named = suffixFormat != SuffixFormat.EXPONENT && exponent >= -9 && exponent <= 18;
        return digits + (named ? DECIMAL.charAt(exponent / 3 + 3) : "e" + exponent);
    }

    /** The amount with nothing below a thousandth: as resource lists are kept. */
    public SuffixedQuantity roundedUpToMilli() {
        if (value.stripTrailingZeros().scale() <= 3) {
            return this;
        }
        BigDecimal rounded = value.setScale(3, RoundingMode.UP);
        return new SuffixedQuantity(rounded, writeDecimal(rounded, SuffixFormat.DECIMAL));
    }

    public BigDecimal value() {
        return value;
    }

    public int signum() {
        return value.signum();
    }

    /** Whether the amount is whole. */
    public boolean isWhole() {
        return value.stripTrailingZeros().scale() <= 0;
    }

    /** The sum, written in this amount's way. */
    public SuffixedQuantity plus(SuffixedQuantity other) {
        BigDecimal sum = value.add(other.value);
        SuffixFormat suffixFormat = text.endsWith("i") ? SuffixFormat.BINARY : SuffixFormat.DECIMAL;
        return new SuffixedQuantity(sum, write(sum, suffixFormat));
    }

    @Override
    public int compareTo(SuffixedQuantity other) {
        return value.compareTo(other.value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SuffixedQuantity quantity && value.compareTo(quantity.value) == 0;
    }

    @Override
    public int hashCode() {
        return value.stripTrailingZeros().hashCode();
    }

    /** The canonical text. */
    @Override
    public String toString() {
        return text;
    }
}
