package dev.berth.core.resource;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;

/**
 * A vector of exact amounts by resource name, sorted by name: cpu in thousandths of a core, memory and storage in
 * bytes, everything else in counts. An absent name has the amount zero. A zero amount may be present: a node that
 * advertises zero differs from a node that does not advertise the resource. Differences may be negative. Amounts of
 * objects are validated when they are parsed. Sums and differences are capped at the range of a long: no node has more,
 * and no tenant's request may cause an overflow.
 */
public final class Resources {
    public static final Resources NONE = new Resources(new ResourceName[0], new long[0]);

    private final ResourceName[] names;
    private final long[] amounts;

    private Resources(ResourceName[] names, long[] amounts) {
        this.names = names;
        this.amounts = amounts;
    }

    public static Resources of(Map<ResourceName, Long> amounts) {
        if (amounts.isEmpty()) {
            return NONE;
        }
        TreeMap<ResourceName, Long> sorted = new TreeMap<>(amounts);
        return new Resources(
                sorted.keySet().toArray(ResourceName[]::new),
                sorted.values().stream().mapToLong(Long::longValue).toArray());
    }

    public static Resources of(ResourceName name, long amount) {
        return new Resources(new ResourceName[] {name}, new long[] {amount});
    }

    /** The quantities in the units of this class: cpu in thousandths, anything else in whole units, rounded up. */
    public static Resources ofQuantities(Map<ResourceName, Quantity> quantities) {
        TreeMap<ResourceName, Long> amounts = new TreeMap<>();
        quantities.forEach((name, quantity) -> amounts.put(name, quantity.amountOf(name)));
        return of(amounts);
    }

    public Resources with(ResourceName name, long amount) {
        int at = find(name);
        if (at >= 0) {
            long[] changed = amounts.clone();
            changed[at] = amount;
            return new Resources(names, changed);
        }
        SortedMap<ResourceName, Long> map = toMap();
        map.put(name, amount);
        return of(map);
    }

    public long get(ResourceName name) {
        int at = find(name);
        return at < 0 ? 0 : amounts[at];
    }

    /** Whether the name is present, even with the amount zero. */
    public boolean has(ResourceName name) {
        return find(name) >= 0;
    }

    public int size() {
        return names.length;
    }

    public ResourceName nameAt(int index) {
        return names[index];
    }

    public long amountAt(int index) {
        return amounts[index];
    }

    public Resources plus(Resources other) {
        return combine(other, Resources::add);
    }

    public Resources minus(Resources other) {
        long[] left = amounts.clone();
        return subtractFrom(left, other) ? new Resources(names, left) : merge(other, Resources::subtract);
    }

    /** Subtracts the other amounts without a merge. Returns false if a name of the other vector is absent here. */
    private boolean subtractFrom(long[] left, Resources other) {
        int at = 0;
        for (int i = 0; i < other.names.length; i++) {
            while (at < names.length && !names[at].equals(other.names[i])) {
                at++;
            }
            if (at == names.length) {
                return false;
            }
            left[at] = subtract(left[at], other.amounts[i]);
        }
        return true;
    }

    /** The greater amount of each name. */
    public Resources max(Resources other) {
        return combine(other, Math::max);
    }

    /** The smaller amount of each name. */
    public Resources min(Resources other) {
        return combine(other, Math::min);
    }

    /** Negative amounts become zero. */
    public Resources atLeastZero() {
        for (long amount : amounts) {
            if (amount < 0) {
                return new Resources(
                        names, Arrays.stream(amounts).map(a -> Math.max(0, a)).toArray());
            }
        }
        return this;
    }

    /** This vector with the names of the other vector alone. */
    public Resources inDimensionsOf(Resources dimensions) {
        long[] kept = new long[dimensions.names.length];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = get(dimensions.names[i]);
        }
        return new Resources(dimensions.names, kept);
    }

    /** The same amounts without the names whose amount is zero. */
    public Resources withoutZeros() {
        int count = 0;
        for (long amount : amounts) {
            count += amount == 0 ? 0 : 1;
        }
        if (count == amounts.length) {
            return this;
        }
        ResourceName[] keptNames = new ResourceName[count];
        long[] kept = new long[count];
        int at = 0;
        for (int i = 0; i < amounts.length; i++) {
            if (amounts[i] != 0) {
                keptNames[at] = names[i];
                kept[at++] = amounts[i];
            }
        }
        return new Resources(keptNames, kept);
    }

    /**
     * Whether some amount is at the end of the range, so that subtracting a summand would not give the sum of the rest.
     */
    public boolean isCapped() {
        for (long amount : amounts) {
            if (amount == Long.MAX_VALUE) {
                return true;
            }
        }
        return false;
    }

    /** Whether every amount is zero. */
    public boolean isZero() {
        for (long amount : amounts) {
            if (amount != 0) {
                return false;
            }
        }
        return true;
    }

    public SortedMap<ResourceName, Long> toMap() {
        TreeMap<ResourceName, Long> map = new TreeMap<>();
        for (int i = 0; i < names.length; i++) {
            map.put(names[i], amounts[i]);
        }
        return map;
    }

    private Resources combine(Resources other, LongBinaryOperator operator) {
        if (names == other.names || Arrays.equals(names, other.names)) {
            long[] combined = new long[amounts.length];
            for (int i = 0; i < combined.length; i++) {
                combined[i] = operator.applyAsLong(amounts[i], other.amounts[i]);
            }
            return new Resources(names, combined);
        }
        return merge(other, operator);
    }

    private Resources merge(Resources other, LongBinaryOperator operator) {
        ResourceName[] mergedNames = new ResourceName[names.length + other.names.length];
        long[] merged = new long[mergedNames.length];
        int count = 0;
        int mine = 0;
        int theirs = 0;
        while (mine < names.length || theirs < other.names.length) {
            int order = order(other, mine, theirs);
            mergedNames[count] = order <= 0 ? names[mine] : other.names[theirs];
            long left = order <= 0 ? amounts[mine++] : 0;
            long right = order >= 0 ? other.amounts[theirs++] : 0;
            merged[count++] = operator.applyAsLong(left, right);
        }
        return new Resources(namesOf(other, mergedNames, count), Arrays.copyOf(merged, count));
    }

    /** Vectors that are added up share one array of names until a new name is added. */
    private ResourceName[] namesOf(Resources other, ResourceName[] merged, int count) {
        if (count == names.length) {
            return names;
        }
        return count == other.names.length ? other.names : Arrays.copyOf(merged, count);
    }

    /** The sum of two amounts, capped at the range of a long. */
    public static long add(long left, long right) {
        long sum = left + right;
        boolean overflow = ((left ^ sum) & (right ^ sum)) < 0;
        return overflow ? (left < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : sum;
    }

    /** The difference of two amounts, capped at the range of a long. */
    public static long subtract(long left, long right) {
        long difference = left - right;
        boolean overflow = ((left ^ right) & (left ^ difference)) < 0;
        return overflow ? (left < 0 ? Long.MIN_VALUE : Long.MAX_VALUE) : difference;
    }

    private int order(Resources other, int mine, int theirs) {
        if (mine == names.length) {
            return 1;
        }
        if (theirs == other.names.length) {
            return -1;
        }
        return names[mine].equals(other.names[theirs]) ? 0 : names[mine].compareTo(other.names[theirs]);
    }

    private int find(ResourceName name) {
        for (int i = 0; i < names.length; i++) {
            if (names[i].equals(name)) {
                return i;
            }
        }
        return -1;
    }

    /** Whether no amount is greater than the other vector's amount of the same name, which is zero if absent. */
    public boolean isWithin(Resources most) {
        for (int i = 0; i < names.length; i++) {
            if (amounts[i] > most.get(names[i])) {
                return false;
            }
        }
        return true;
    }

    /** Whether the requests fit into these free resources. A request of zero fits even if less than zero is free. */
    public boolean fitsIn(Resources free) {
        return nextShortage(free, 0) < 0;
    }

    /**
     * The first request at this index or after it that is greater than zero and greater than what is free; negative when
     * there is none.
     */
    public int nextShortage(Resources free, int from) {
        for (int i = from; i < names.length; i++) {
            if (amounts[i] > 0 && amounts[i] > free.get(names[i])) {
                return i;
            }
        }
        return -1;
    }

    /** Whether both have the same amounts and the same names, including names with an amount of zero. */
    public boolean hasSameNamesAndAmounts(Resources other) {
        return Arrays.equals(names, other.names) && Arrays.equals(amounts, other.amounts);
    }

    /** Equal amounts are equal vectors: a zero amount and an absent name differ only for {@link #has}. */
    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof Resources resources && sameAmounts(resources));
    }

    private boolean sameAmounts(Resources other) {
        int mine = 0;
        int theirs = 0;
        while (mine < names.length || theirs < other.names.length) {
            int order = order(other, mine, theirs);
            long left = order <= 0 ? amounts[mine++] : 0;
            long right = order >= 0 ? other.amounts[theirs++] : 0;
            if (left != right) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int hash = 0;
        for (int i = 0; i < names.length; i++) {
            hash += amounts[i] == 0 ? 0 : names[i].hashCode() * 31 + Long.hashCode(amounts[i]);
        }
        return hash;
    }

    /** By name, as the Kubernetes API writes amounts: {@code cpu: 1500m, memory: 2Gi}. */
    public Map<String, String> toQuantities() {
        Map<String, String> quantities = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            quantities.put(names[i].value(), Quantity.of(names[i], amounts[i]).toString());
        }
        return quantities;
    }

    /** As a text: {@code 1500m cpu, 2Gi memory}. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(", ");
        toQuantities().forEach((name, quantity) -> text.add(quantity + " " + name));
        return text.toString();
    }
}
