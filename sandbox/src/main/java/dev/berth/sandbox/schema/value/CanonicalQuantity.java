package dev.berth.sandbox.schema.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Quantities in the canonical form of the real server: {@code 1024Mi} becomes {@code 1Gi}, {@code 0.5} becomes
 * {@code 500m}. What the real server stores unchanged ({@code 1.234}) is unchanged here.
 */
public final class CanonicalQuantity {

    /** The largest supported exponent. */
    private static final int MAX_EXPONENT = 1000;

    private static final int NANO = 9;
    private static final BigDecimal MAX_BINARY = BigDecimal.valueOf(Long.MAX_VALUE);
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);
    private static final String[] DECIMAL_SUFFIXES = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
    private static final String[] BINARY_SUFFIXES = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    private static final Map<String, Integer> DECIMAL_EXPONENTS =
            Map.of("n", -9, "u", -6, "m", -3, "", 0, "k", 3, "M", 6, "G", 9, "T", 12, "P", 15, "E", 18);
    private static final Map<String, Integer> BINARY_EXPONENTS =
            Map.of("Ki", 10, "Mi", 20, "Gi", 30, "Ti", 40, "Pi", 50, "Ei", 60);

    private enum Format {
        DECIMAL,
        BINARY,
        EXPONENT
    }

    private final QuantityParts parts;
    private final Format format;
    private final int exponent;

    private CanonicalQuantity(QuantityParts parts) {
        this.parts = parts;
        String suffix = parts.suffix();
        if (DECIMAL_EXPONENTS.containsKey(suffix)) {
            format = Format.DECIMAL;
            exponent = DECIMAL_EXPONENTS.get(suffix);
        } else if (BINARY_EXPONENTS.containsKey(suffix)) {
            format = Format.BINARY;
            exponent = BINARY_EXPONENTS.get(suffix);
        } else {
            format = Format.EXPONENT;
            exponent = exponentOf(suffix);
        }
    }

    /**
     * The canonical form.
     *
     * @throws IllegalArgumentException in the real server's words, when the text is no quantity
     */
    public static String canonicalize(String text) {
        if (isPlainInteger(text)) {
            return text;
        }
        return new CanonicalQuantity(QuantityParts.parse(text)).canonical(text);
    }

    /** Most quantities: up to 18 digits of a number that needs no suffix. */
    private static boolean isPlainInteger(String text) {
        int length = text.length();
        if (length == 0 || length > 18 || text.charAt(0) == '0' || text.endsWith("000")) {
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

    private String canonical(String text) {
        if (keepsText()) {
            return text;
        }
        BigDecimal amount = amount();
        if (amount.signum() == 0) {
            return "0";
        }
        return switch (format) {
            case BINARY -> binary(amount);
            case DECIMAL -> decimal(amount);
            case EXPONENT -> exponential(amount);
        };
    }

    /** The real server keeps the text of short numbers which look canonical at a glance. */
    private boolean keepsText() {
        String digits = parts.whole() + parts.fraction();
        if (format == Format.BINARY) {
            return parts.fraction().isEmpty()
                    && digits.length() <= 14 - exponent * 3 / 10
                    && (Long.parseLong(digits) & 7) != 0;
        }
        int scale = exponent - parts.fraction().length();
        return digits.length() <= 18
                && scale >= -NANO
                && scale % 3 == 0
                && !digits.endsWith("000")
                && digits.charAt(0) != '0';
    }

    private BigDecimal amount() {
        BigDecimal amount = parts.number();
        if (format == Format.BINARY) {
            amount = amount.multiply(new BigDecimal(BigInteger.ONE.shiftLeft(exponent)));
        } else {
            amount = amount.scaleByPowerOfTen(exponent);
        }
        if (amount.scale() > NANO) {
            amount = amount.setScale(NANO, RoundingMode.UP);
        }
        if (format == Format.BINARY) {
            amount = amount.min(MAX_BINARY).max(MAX_BINARY.negate());
        }
        return amount;
    }

    private static String binary(BigDecimal amount) {
        boolean whole = amount.stripTrailingZeros().scale() <= 0;
        if (!whole || amount.abs().compareTo(KIBI) < 0) {
            return decimal(amount);
        }
        BigInteger mantissa = amount.toBigInteger();
        int steps = 0;
        while (mantissa.getLowestSetBit() >= 10 && steps < BINARY_SUFFIXES.length - 1) {
            mantissa = mantissa.shiftRight(10);
            steps++;
        }
        return mantissa + BINARY_SUFFIXES[steps];
    }

    private static String decimal(BigDecimal amount) {
        int power = Math.min(powerOfThousand(amount), 18);
        return mantissa(amount, power) + DECIMAL_SUFFIXES[(power + NANO) / 3];
    }

    private static String exponential(BigDecimal amount) {
        int power = powerOfThousand(amount);
        return mantissa(amount, power) + (power == 0 ? "" : "e" + power);
    }

    /** The largest power of 1000 that leaves an integer, as a power of ten. */
    private static int powerOfThousand(BigDecimal amount) {
        return Math.floorDiv(-amount.stripTrailingZeros().scale(), 3) * 3;
    }

    private static BigInteger mantissa(BigDecimal amount, int power) {
        return amount.scaleByPowerOfTen(-power).toBigIntegerExact();
    }

    private static int exponentOf(String suffix) {
        if (suffix.length() > 1 && (suffix.charAt(0) == 'e' || suffix.charAt(0) == 'E')) {
            try {
                int value = Integer.parseInt(suffix.substring(1));
                if (Math.abs((long) value) <= MAX_EXPONENT) {
                    return value;
                }
            } catch (NumberFormatException e) {
                throw badSuffix(e);
            }
        }
        throw badSuffix(null);
    }

    private static IllegalArgumentException badSuffix(@Nullable Exception cause) {
        return new IllegalArgumentException("unable to parse quantity's suffix", cause);
    }
}
