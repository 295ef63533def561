package dev.berth.core.resource;

import java.math.BigInteger;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A sum of vectors from which vectors can be subtracted again. {@link Resources} caps sums at the range of a long and
 * loses what was added. This sum stays exact, at the same cost for all amounts.
 */
public final class ResourceSum {
    private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);
    private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);

    private Resources total = Resources.NONE;
    /** The exact amounts, while some of them are at the end of the range or beyond. */
    private @Nullable Map<ResourceName, BigInteger> exact;

    public ResourceSum copy() {
        ResourceSum copy = new ResourceSum();
        copy.total = total;
        copy.exact = exact == null ? null : new TreeMap<>(exact);
        return copy;
    }

    /** Amounts that do not fit into a long are capped. */
    public Resources total() {
        return total;
    }

    public void add(Resources amounts) {
        if (exact == null) {
            Resources sum = total.plus(amounts);
            if (!sum.isCapped()) {
                total = sum;
                return;
            }
        }
        count(amounts, BigInteger.ONE);
    }

    public void subtract(Resources amounts) {
        if (exact == null) {
            total = total.minus(amounts);
        } else {
            count(amounts, BigInteger.ONE.negate());
        }
    }

    private void count(Resources amounts, BigInteger sign) {
        Map<ResourceName, BigInteger> sums = exact == null ? exact(total) : exact;
        exact(amounts).forEach((name, amount) -> sums.merge(name, amount.multiply(sign), BigInteger::add));
        Map<ResourceName, Long> narrow = new TreeMap<>();
        sums.forEach(
                (name, amount) -> narrow.put(name, amount.min(MOST).max(LEAST).longValueExact()));
        total = Resources.of(narrow);
        exact = total.isCapped() ? sums : null;
    }

    private static Map<ResourceName, BigInteger> exact(Resources amounts) {
        Map<ResourceName, BigInteger> map = new TreeMap<>();
        amounts.toMap().forEach((name, amount) -> map.put(name, BigInteger.valueOf(amount)));
        return map;
    }
}
