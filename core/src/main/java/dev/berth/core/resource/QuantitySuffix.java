package dev.berth.core.resource;

import java.util.Optional;

/**
 * The factor of a quantity's number: a power of ten or of two.
 *
 * @param exponent the exponent of ten, or of two if the format is binary; capped to the range
 */
public record QuantitySuffix(QuantityFormat format, int exponent) {
    private static final QuantitySuffix NONE = new QuantitySuffix(QuantityFormat.DECIMAL_SI, 0);

    private static final String DECIMAL = "num.kMGTPE";
    private static final String BINARY = "KMGTPE";
    private static final int FAR = 1_000_000;

    /** Empty if the text is not a suffix. */
    public static Optional<QuantitySuffix> parse(String text) {
        return switch (text.length()) {
            case 0 -> Optional.of(NONE);
            case 1 -> letter(text.charAt(0));
            case 2 -> text.charAt(1) == 'i' ? binary(text.charAt(0)) : exponent(text);
            default -> exponent(text);
        };
    }

    /** The suffix for a power of 1000 or of 1024. */
    public static String write(QuantityFormat format, int exponent) {
        if (exponent == 0) {
            return "";
        }
        return switch (format) {
            case DECIMAL_SI -> DECIMAL.substring(exponent / 3 + 3, exponent / 3 + 4);
            case BINARY_SI -> BINARY.charAt(exponent / 10 - 1) + "i";
            case DECIMAL_EXPONENT -> "e" + exponent;
        };
    }

    private static Optional<QuantitySuffix> letter(char letter) {
        int at = DECIMAL.indexOf(letter);
        return at < 0 || letter == '.'
                ? Optional.empty()
                : Optional.of(new QuantitySuffix(QuantityFormat.DECIMAL_SI, (at - 3) * 3));
    }

    private static Optional<QuantitySuffix> binary(char letter) {
        int at = BINARY.indexOf(letter);
        return at < 0 ? Optional.empty() : Optional.of(new QuantitySuffix(QuantityFormat.BINARY_SI, (at + 1) * 10));
    }

    private static Optional<QuantitySuffix> exponent(String text) {
        char first = text.charAt(0);
        char sign = text.charAt(1);
        int start = sign == '+' || sign == '-' ? 2 : 1;
        if ((first != 'e' && first != 'E') || start == text.length()) {
            return Optional.empty();
        }
        int exponent = 0;
        for (int i = start; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return Optional.empty();
            }
            exponent = Math.min(FAR, exponent * 10 + digit);
        }
        return Optional.of(new QuantitySuffix(QuantityFormat.DECIMAL_EXPONENT, sign == '-' ? -exponent : exponent));
    }
}
