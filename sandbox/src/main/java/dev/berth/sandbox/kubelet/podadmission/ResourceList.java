package dev.berth.sandbox.kubelet.podadmission;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.unstructured.StoredQuantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BinaryOperator;

/** Exact amounts by resource name; an absent resource is zero. */
public record ResourceList(Map<String, BigDecimal> byName) {
    public static final ResourceList NONE = new ResourceList(Map.of());

    public ResourceList {
        byName = Collections.unmodifiableMap(new TreeMap<>(byName));
    }

    /** Reads a resource list such as {@code requests}; an invalid quantity counts as zero. */
    public static ResourceList of(JsonNode list) {
        Map<String, BigDecimal> amounts = new TreeMap<>();
        list.properties()
                .forEach(entry -> StoredQuantity.of(entry.getValue())
                        .ifPresent(quantity -> amounts.put(entry.getKey(), quantity.value())));
        return new ResourceList(amounts);
    }

    public boolean has(String name) {
        return byName.containsKey(name);
    }

    public ResourceList plus(ResourceList other) {
        return combine(other, BigDecimal::add);
    }

    public ResourceList minus(ResourceList other) {
        Map<String, BigDecimal> left = new TreeMap<>(byName);
        other.byName.forEach((name, amount) -> left.merge(name, amount.negate(), BigDecimal::add));
        return new ResourceList(left);
    }

    public ResourceList max(ResourceList other) {
        return combine(other, BigDecimal::max);
    }

    /** These amounts, replaced by those of the other list where it has them. */
    public ResourceList overriddenBy(ResourceList other) {
        return combine(other, (mine, theirs) -> theirs);
    }

    private ResourceList combine(ResourceList other, BinaryOperator<BigDecimal> operator) {
        Map<String, BigDecimal> result = new TreeMap<>(byName);
        other.byName.forEach((name, amount) -> result.merge(name, amount, operator));
        return new ResourceList(result);
    }

    /** The amount in the unit that messages use: thousandths for cpu, whole units else. */
    public long units(String name) {
        BigDecimal amount = byName.getOrDefault(name, BigDecimal.ZERO);
        BigDecimal scaled = name.equals("cpu") ? amount.movePointRight(3) : amount;
        return scaled.setScale(0, RoundingMode.UP).longValue();
    }
}
