package dev.berth.core.resource;

import java.math.BigDecimal;
import java.math.BigInteger;

/**
 * An exact Kubernetes quantity: billionths, up to 2⁶³−1 in magnitude, and the format of its text. A more precise value
 * is rounded up when it is parsed, and when it is converted to a coarser unit: a request above zero never becomes zero.
 * Up means away from zero. Quantities of the same value are equal, even if their texts differ.
 */
public final class Quantity implements Comparable<Quantity> {
    static final int NANOS = 1_000_000_000;
    private static final int MILLIS_PER_WHOLE = 1_000;
    private static final int NANOS_PER_MILLI = 1_000_000;

    public static final Quantity ZERO = new Quantity(0, 0, QuantityFormat.DECIMAL_SI);

    /** Means any value above 2⁶³−1; never returned. */
    static final Quantity TOO_LARGE = new Quantity(Long.MAX_VALUE, NANOS - 1, QuantityFormat.DECIMAL_SI);

    /** The greatest integer that is not above the value. */
    private final long whole;
    /** The billionths to add to it, from 0 to 999 999 999. */
    private final int nanos;

    private final QuantityFormat format;

    private Quantity(long whole, int nanos, QuantityFormat format) {
        this.whole = whole;
        this.nanos = nanos;
        this.format = format;
    }

    /**
     * Parses a quantity such as {@code 500m}, {@code 1.5Gi} or {@code 12e6}.
     *
     * @throws MalformedQuantity if the text is not a quantity, or the value is above 2⁶³−1
     */
    public static Quantity parse(String text) {
        return new QuantityParser(text).parse(false);
    }

    /**
     * Parses a quantity of an existing object, which cannot be rejected any more: a value that is too large counts as
     * 2⁶³−1, which is more than any node has.
     *
     * @throws MalformedQuantity if the text is not a quantity
     */
    public static Quantity parseCapped(String text) {
        return new QuantityParser(text).parse(true);
    }

    /** An amount in the units of {@link Resources} as a text for users: {@code 1500m} cpu, {@code 2Gi} memory. */
    public static Quantity of(ResourceName name, long amount) {
        if (name.equals(ResourceName.CPU)) {
            int millis = Math.floorMod(amount, MILLIS_PER_WHOLE);
            return of(Math.floorDiv(amount, MILLIS_PER_WHOLE), millis * NANOS_PER_MILLI, QuantityFormat.DECIMAL_SI);
        }
        return of(amount, 0, name.isInBytes() ? QuantityFormat.BINARY_SI : QuantityFormat.DECIMAL_SI);
    }

    static Quantity of(long whole, int nanos, QuantityFormat format) {
        return new Quantity(whole, nanos, format);
    }

    boolean isTooLarge() {
        return whole == Long.MAX_VALUE && nanos > 0;
    }

    static Quantity largest(QuantityFormat format) {
        return new Quantity(Long.MAX_VALUE, 0, format);
    }

    /**
     * In thousandths, rounded up.
     *
     * @throws MalformedQuantity if the result does not fit
     */
    public long toMilli() {
        try {
            return Math.addExact(Math.multiplyExact(whole, (long) MILLIS_PER_WHOLE), millisOfNanos());
        } catch (ArithmeticException tooLarge) {
            throw new MalformedQuantity(toString(), 0, "must not exceed 2^63-1 thousandths");
        }
    }

    /** In whole units, rounded up. */
    public long toUnits() {
        return whole >= 0 && nanos > 0 ? whole + 1 : whole;
    }

    /**
     * In the units of {@link Resources} for the named resource: cpu in thousandths, anything else in whole units;
     * capped.
     */
    public long amountOf(ResourceName name) {
        if (!name.equals(ResourceName.CPU)) {
            return toUnits();
        }
        long farthest = Long.MAX_VALUE / MILLIS_PER_WHOLE;
        if (whole >= farthest || whole <= -farthest) {
            return whole < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        return toMilli();
    }

    /** The sum, in the format of this quantity; capped at 2⁶³−1. */
    public Quantity plus(Quantity other) {
        int nanoSum = nanos + other.nanos;
        int carry = nanoSum >= NANOS ? 1 : 0;
        try {
            long sum = Math.addExact(Math.addExact(whole, other.whole), carry);
            Quantity result = of(sum, nanoSum - carry * NANOS, format);
            return result.isTooLarge() ? largest(format) : result;
        } catch (ArithmeticException tooLarge) {
            return whole < 0 ? largest(format).negated() : largest(format);
        }
    }

    public Quantity max(Quantity other) {
        return compareTo(other) >= 0 ? this : other;
    }

    public boolean isNegative() {
        return whole < 0;
    }

    public BigDecimal toBigDecimal() {
        return BigDecimal.valueOf(whole).add(BigDecimal.valueOf(nanos, 9));
    }

    Quantity negated() {
        return nanos == 0 ? of(-whole, 0, format) : of(-whole - 1, NANOS - nanos, format);
    }

    private int millisOfNanos() {
        return whole < 0 ? nanos / NANOS_PER_MILLI : (nanos + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI;
    }

    @Override
    public int compareTo(Quantity other) {
        int byWhole = Long.compare(whole, other.whole);
        return byWhole != 0 ? byWhole : Integer.compare(nanos, other.nanos);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Quantity quantity && quantity.whole == whole && quantity.nanos == nanos;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(whole) * 31 + nanos;
    }

    /** The canonical form: no fraction, and the largest suffix that is exact. */
    @Override
    public String toString() {
        if (whole == 0 && nanos == 0) {
            return "0";
        }
        boolean binary = format == QuantityFormat.BINARY_SI && nanos == 0 && (whole >= 1024 || whole <= -1024);
        return binary ? binaryText() : decimalText();
    }

    private String binaryText() {
        long mantissa = whole;
        int exponent = 0;
        while (mantissa % 1024 == 0) {
            mantissa /= 1024;
            exponent += 10;
        }
        return mantissa + QuantitySuffix.write(QuantityFormat.BINARY_SI, exponent);
    }

    private String decimalText() {
        BigDecimal value = toBigDecimal().stripTrailingZeros();
        int exponent = Math.floorDiv(-value.scale(), 3) * 3;
        BigInteger mantissa = value.scaleByPowerOfTen(-exponent).toBigIntegerExact();
        return mantissa
                + QuantitySuffix.write(
                        format == QuantityFormat.DECIMAL_EXPONENT ? format : QuantityFormat.DECIMAL_SI, exponent);
    }
}
