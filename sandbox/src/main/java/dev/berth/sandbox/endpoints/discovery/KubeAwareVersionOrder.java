package dev.berth.sandbox.endpoints.discovery;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The order of API versions by name, highest first: {@code v10, v2, v1, v11beta2, v10beta3, v3alpha1}, then names of
 * any other form in alphabetical order.
 */
public final class KubeAwareVersionOrder {

    private static final Pattern KUBE_LIKE = Pattern.compile("v([1-9][0-9]{0,8})((alpha|beta)([1-9][0-9]{0,8}))?");

    /** Highest version first. */
    public static final Comparator<String> DESCENDING = Comparator.comparingInt(KubeAwareVersionOrder::stability)
            .thenComparing(name -> -part(name, 1))
            .thenComparing(name -> -part(name, 4))
            .thenComparing(Comparator.naturalOrder());

    private KubeAwareVersionOrder() {}

    private static int stability(String name) {
        Matcher matcher = KUBE_LIKE.matcher(name);
        if (!matcher.matches()) {
            return 3;
        }
        String word = matcher.group(3);
        if (word == null) {
            return 0;
        }
        return word.equals("beta") ? 1 : 2;
    }

    private static int part(String name, int group) {
        Matcher matcher = KUBE_LIKE.matcher(name);
        String number = matcher.matches() ? matcher.group(group) : null;
        return number == null ? 0 : Integer.parseInt(number);
    }
}
