package dev.berth.app.up;

import dev.berth.core.resource.Quantity;

/** What each simulated node has. */
public record NodeSize(String cpu, String memory, int pods) {
    private static final int MOST_PODS = 100_000;

    public NodeSize {
        check("--cpu", cpu, "8 or 1500m");
        check("--memory", memory, "32Gi");
        if (pods < 1 || pods > MOST_PODS) {
            throw new IllegalArgumentException("--pods (%d) must be from 1 to %d".formatted(pods, MOST_PODS));
        }
    }

    private static void check(String option, String value, String example) {
        try {
            if (Quantity.parse(value).compareTo(Quantity.ZERO) <= 0) {
                throw new IllegalArgumentException("it must be more than zero");
            }
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException(
                    "%s (%s) is no amount such as %s: %s".formatted(option, value, example, wrong.getMessage()), wrong);
        }
    }

    @Override
    public String toString() {
        return "%s cpu, %s memory and %d pods".formatted(cpu, memory, pods);
    }
}
