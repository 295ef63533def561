package dev.berth.e2e.scenario.testcluster;

import java.util.ArrayList;
import java.util.List;

/** Parts of pods that are long in YAML and short in speech. */
public final class PodSpecYaml {
    private PodSpecYaml() {}

    /** A selector of all of these, such as {@code app In [web, api]} and {@code old DoesNotExist}. */
    public static String selector(String... expressions) {
        List<String> parts = new ArrayList<>();
        for (String expression : expressions) {
            String[] words = expression.split(" ", 3);
            String values = words.length == 3 ? ", values: " + words[2] : "";
            parts.add("{key: %s, operator: %s%s}".formatted(words[0], words[1], values));
        }
        return "{matchExpressions: [%s]}".formatted(String.join(", ", parts));
    }

    /** A term about pods in the same domain; more of it as YAML, such as {@code namespaces: [a]}, or nothing. */
    public static String term(String domain, String where, String more) {
        return "{topologyKey: %s, labelSelector: %s%s}".formatted(domain, where, more.isEmpty() ? "" : ", " + more);
    }

    public static String term(String domain, String where) {
        return term(domain, where, "");
    }

    /** A pod must be where all of these hold. */
    public static String requiredAffinity(String... terms) {
        return "affinity: {%s}".formatted(required("podAffinity", terms));
    }

    /** A pod must be where none of these holds. */
    public static String requiredAntiAffinity(String... terms) {
        return "affinity: {%s}".formatted(required("podAntiAffinity", terms));
    }

    /** A pod must be where the one holds and the other does not. */
    public static String requiredAffinityAndAntiAffinity(String near, String apart) {
        return "affinity: {%s, %s}".formatted(required("podAffinity", near), required("podAntiAffinity", apart));
    }

    /** A pod would rather be where these hold, each {@code weight} worth. */
    public static String preferredAffinity(String... weighted) {
        return "affinity: {podAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [%s]}}"
                .formatted(String.join(", ", weighted));
    }

    /** A pod would rather be where these do not hold. */
    public static String preferredAntiAffinity(String... weighted) {
        return "affinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [%s]}}"
                .formatted(String.join(", ", weighted));
    }

    public static String weighted(int weight, String term) {
        return "{weight: %d, podAffinityTerm: %s}".formatted(weight, term);
    }

    /** A pod must be on nodes of one of these terms, each of which is YAML. */
    public static String requiredNodeAffinity(String... terms) {
        return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [%s]}}}"
                .formatted(String.join(", ", terms));
    }

    /** A pod must be spread over domains; more of it as YAML, such as {@code minDomains: 3}, or nothing. */
    public static String doNotSchedule(int maxSkew, String domain, String where, String more) {
        return spread(maxSkew, domain, "DoNotSchedule, labelSelector: " + where, more);
    }

    /** A pod should be spread over domains. */
    public static String scheduleAnyway(int maxSkew, String domain, String where, String more) {
        return spread(maxSkew, domain, "ScheduleAnyway, labelSelector: " + where, more);
    }

    private static String spread(int maxSkew, String domain, String how, String more) {
        return "{maxSkew: %d, topologyKey: %s, whenUnsatisfiable: %s%s}"
                .formatted(maxSkew, domain, how, more.isEmpty() ? "" : ", " + more);
    }

    public static String topologySpreadConstraints(String... constraints) {
        return "topologySpreadConstraints: [%s]".formatted(String.join(", ", constraints));
    }

    private static String required(String kind, String... terms) {
        return "%s: {requiredDuringSchedulingIgnoredDuringExecution: [%s]}".formatted(kind, String.join(", ", terms));
    }
}
