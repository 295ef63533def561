package dev.berth.core.testing;

import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;

/** Resources as texts: {@code "3 cpu"}, {@code "500m cpu"}, {@code "32Gi memory"}, {@code "2 example.com/gpu"}. */
public final class Amounts {
    private Amounts() {}

    public static Resources amounts(String... words) {
        Resources sum = Resources.NONE;
        for (String word : words) {
            int space = word.indexOf(' ');
            if (space < 0) {
                throw new IllegalArgumentException("amount (%s) must be like '3 cpu'".formatted(word));
            }
            ResourceName name = new ResourceName(word.substring(space + 1));
            sum = sum.plus(
                    Resources.of(name, Quantity.parse(word.substring(0, space)).amountOf(name)));
        }
        return sum;
    }
}
