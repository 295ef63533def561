package dev.berth.core.testing;

import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;

/** Resources in words: {@code "3 cpu"}, {@code "500m cpu"}, {@code "32Gi memory"}, {@code "2 example.com/gpu"}. */
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
            sum = sum.plus(Resources.of(name, amount(word.substring(0, space), name)));
        }
        return sum;
    }

    private static long amount(String text, ResourceName name) {
        boolean cpu = name.equals(ResourceName.CPU);
        if (text.endsWith("m")) {
            return Long.parseLong(text.substring(0, text.length() - 1)) / (cpu ? 1 : 1000);
        }
        if (text.endsWith("Gi")) {
            return Long.parseLong(text.substring(0, text.length() - 2)) << 30;
        }
        if (text.endsWith("Mi")) {
            return Long.parseLong(text.substring(0, text.length() - 2)) << 20;
        }
        return Long.parseLong(text) * (cpu ? 1000 : 1);
    }
}
