package dev.berth.embedded.kubelet.fit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.embedded.tree.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/** Exact amounts by resource name; a resource not named is none. */
public record Amounts(Map<String, BigDecimal> byName) {
    public static final Amounts NONE = new Amounts(Map.of());

    public Amounts {
        byName = Collections.unmodifiableMap(new TreeMap<>(byName));
    }

    /** Reads a resource list such as {@code requests}; what is no quantity counts as none. */
    public static Amounts of(JsonNode list) {
        Map<String, BigDecimal> amounts = new TreeMap<>();
        list.properties()
                .forEach(entry -> Quantity.of(entry.getValue())
                        .ifPresent(quantity -> amounts.put(entry.getKey(), quantity.value())));
        return new Amounts(amounts);
    }

    public boolean has(String name) {
        return byName.containsKey(name);
    }

    public Amounts plus(Amounts other) {
        return merged(other, BigDecimal::add);
    }

    public Amounts minus(Amounts other) {
        Map<String, BigDecimal> left = new TreeMap<>(byName);
        other.byName.forEach((name, amount) -> left.merge(name, amount.negate(), BigDecimal::add));
        return new Amounts(left);
    }

    public Amounts max(Amounts other) {
        return merged(other, BigDecimal::max);
    }

    /** This, with the other's amounts in place of its own where the other has some. */
    public Amounts replacedBy(Amounts other) {
        return merged(other, (mine, theirs) -> theirs);
    }

    private Amounts merged(Amounts other, BinaryOperator<BigDecimal> rule) {
        Map<String, BigDecimal> result = new TreeMap<>(byName);
        other.byName.forEach((name, amount) -> result.merge(name, amount, rule));
        return new Amounts(result);
    }

    /** The amount in the unit that messages use: thousandths for cpu, whole units else. */
    public long units(String name) {
        BigDecimal amount = byName.getOrDefault(name, BigDecimal.ZERO);
        BigDecimal scaled = name.equals("cpu") ? amount.movePointRight(3) : amount;
        return scaled.setScale(0, RoundingMode.UP).longValue();
    }
}
