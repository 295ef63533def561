package dev.berth.core.door.koordinator;

import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What Berth applied last to a placed reservation. The difference to the present object tells an edit of the template
 * from a patch of {@code status.allocatable}, also after a restart.
 *
 * @param requested the size that the template requested then
 * @param allocatable {@code status.allocatable} as Berth wrote or accepted it then
 */
record AppliedSize(Resources requested, Resources allocatable) {
    private static final String REQUESTS = " for requests ";
    private static final String ALLOCATABLE = " and allocatable ";
    private static final String NOTHING = "none";

    /** The text that follows Berth's marker: {@code for requests cpu=6,memory=8Gi}. */
    String format() {
        return REQUESTS + format(requested) + (allocatable.equals(requested) ? "" : ALLOCATABLE + format(allocatable));
    }

    private static String format(Resources amounts) {
        return amounts.size() == 0
                ? NOTHING
                : amounts.toQuantities().entrySet().stream()
                        .map(amount -> amount.getKey() + "=" + amount.getValue())
                        .collect(Collectors.joining(","));
    }

    /** The reverse of {@link #format}; empty for any other text. */
    static Optional<AppliedSize> parse(String text) {
        if (!text.startsWith(REQUESTS)) {
            return Optional.empty();
        }
        String sizes = text.substring(REQUESTS.length());
        int and = sizes.indexOf(ALLOCATABLE);
        try {
            Resources requested = parseAmounts(and < 0 ? sizes : sizes.substring(0, and));
            return Optional.of(new AppliedSize(
                    requested, and < 0 ? requested : parseAmounts(sizes.substring(and + ALLOCATABLE.length()))));
        } catch (IllegalArgumentException | ArithmeticException otherText) {
            return Optional.empty();
        }
    }

    private static Resources parseAmounts(String text) {
        Map<ResourceName, Quantity> amounts = new TreeMap<>();
        if (!text.equals(NOTHING)) {
            for (String amount : text.split(",", -1)) {
                int equals = amount.indexOf('=');
                if (equals < 0) {
                    throw new IllegalArgumentException("amount (%s) has no value".formatted(amount));
                }
                amounts.put(
                        new ResourceName(amount.substring(0, equals)),
                        Quantity.parseCapped(amount.substring(equals + 1)));
            }
        }
        return Resources.ofQuantities(amounts);
    }

    /**
     * The size after an edit of the template. Only the resources whose request was edited change: a patch of the others
     * stays.
     *
     * @param current the present {@code status.allocatable}
     */
    Resources resized(Resources current, Resources nowRequested) {
        Map<ResourceName, Long> size = current.toMap();
        requested.plus(nowRequested).toMap().keySet().stream()
                .filter(name -> requested.get(name) != nowRequested.get(name))
                .forEach(name -> {
                    if (nowRequested.has(name)) {
                        size.put(name, nowRequested.get(name));
                    } else {
                        size.remove(name);
                    }
                });
        return Resources.of(size);
    }
}
