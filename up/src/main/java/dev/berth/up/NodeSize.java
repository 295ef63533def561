package dev.berth.up;

import dev.berth.core.resource.Quantity;

/** The size of each simulated node. */
public record NodeSize(String cpu, String memory, int pods) {
    private static final int MAX_PODS = 100_000;

    public NodeSize {
        requirePositiveQuantity("--cpu", cpu, "8 or 1500m");
        requirePositiveQuantity("--memory", memory, "32Gi");
        if (pods < 1 || pods > MAX_PODS) {
            throw new IllegalArgumentException("--pods (%d) must be from 1 to %d".formatted(pods, MAX_PODS));
        }
    }

    private static void requirePositiveQuantity(String option, String value, String example) {
        try {
            if (Quantity.parse(value).compareTo(Quantity.ZERO) <= 0) {
                throw new IllegalArgumentException("it must be positive");
            }
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "%s (%s) must be an amount such as %s: %s".formatted(option, value, example, wrong.getMessage()),
                    wrong);
        }
    }

    @Override
    public String toString() {
        return "%s cpu, %s memory and %d pods".formatted(cpu, memory, pods);
    }
}
