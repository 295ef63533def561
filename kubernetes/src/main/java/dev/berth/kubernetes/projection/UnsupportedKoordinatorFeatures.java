package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.UnsupportedFeature;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.text.ForeignText;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The labels, annotations and requests by which pods and Reservations ask for features of Koordinator that Berth does not
 * have. What koord-scheduler writes on them as its result, such as {@code device-allocated}, is not among these.
 */
public final class UnsupportedKoordinatorFeatures {
    /** Written by the user, and next to {@code resource-status} also by koord-scheduler. */
    public static final String RESOURCE_SPEC_ANNOTATION = "scheduling.koordinator.sh/resource-spec";

    private static final String SCHEDULING = "scheduling.koordinator.sh/";
    private static final String GANG = "gang.scheduling.koordinator.sh/";
    private static final String POD_GROUP = "pod-group.scheduling.sigs.k8s.io";
    /** A result: koord-scheduler writes it on the pods of a gang that it could not schedule in time. */
    private static final String GANG_TIMEOUT = GANG + "timeout";

    private enum KeyKind {
        LABEL,
        ANNOTATION
    }

    private static final List<Rule> RULES = List.of(
            new Rule(
                    "operation as a reservation",
                    "Create a Reservation instead, or remove the label",
                    Set.of(KeyKind.LABEL),
                    List.of(SCHEDULING + "operating-mode"),
                    "Reservation"::equals),
            new Rule(
                    "gang scheduling",
                    "Remove the labels and annotations of gangs: Berth then schedules each member by itself",
                    Set.of(KeyKind.LABEL, KeyKind.ANNOTATION),
                    List.of(POD_GROUP, POD_GROUP + "/name", GANG + "name", POD_GROUP + "/", GANG),
                    UnsupportedKoordinatorFeatures::isAnyValue),
            new Rule(
                    "a policy for cpus",
                    "Remove the annotation, or its policies other than Default and None",
                    Set.of(KeyKind.ANNOTATION),
                    List.of(RESOURCE_SPEC_ANNOTATION),
                    value -> hasOtherValues(
                            value,
                            Map.of(
                                    "requiredcpubindpolicy", Set.of("", "Default"),
                                    "preferredcpubindpolicy", Set.of("", "Default"),
                                    "preferredcpuexclusivepolicy", Set.of("", "None")))),
            new Rule(
                    "a policy for NUMA nodes",
                    "Remove the annotation",
                    Set.of(KeyKind.ANNOTATION),
                    List.of(SCHEDULING + "numa-topology-spec"),
                    value -> hasOtherValues(
                            value, Map.of("numatopologypolicy", Set.of(""), "singlenumanodeexclusive", Set.of("")))),
            new Rule(
                    "the choice of devices",
                    "Remove the annotation",
                    Set.of(KeyKind.ANNOTATION),
                    List.of(
                            SCHEDULING + "device-allocate-hint",
                            SCHEDULING + "device-joint-allocate",
                            SCHEDULING + "gpu-partition-spec"),
                    UnsupportedKoordinatorFeatures::isAnyValue),
            new Rule(
                    "isolation of a shared GPU",
                    "Remove the label",
                    Set.of(KeyKind.LABEL),
                    List.of("koordinator.sh/gpu-isolation-provider"),
                    UnsupportedKoordinatorFeatures::isAnyValue));

    private static final Set<String> KEYS =
            RULES.stream().flatMap(rule -> rule.keys().stream()).collect(Collectors.toUnmodifiableSet());

    /** Under both domains: Koordinator still reads the older one. */
    private static final Set<ResourceName> RESOURCES = Stream.of("koordinator.sh/", "kubernetes.io/")
            .flatMap(domain -> Stream.of(
                            "gpu", "gpu.shared", "gpu-core", "gpu-memory", "gpu-memory-ratio", "rdma", "fpga")
                    .map(name -> new ResourceName(domain + name)))
            .collect(Collectors.toUnmodifiableSet());

    private UnsupportedKoordinatorFeatures() {}

    /** Finds the features that labels and annotations ask for. */
    public static void find(Labels labels, Labels annotations, Consumer<UnsupportedFeature> found) {
        if (labels.hasKey(UnsupportedKoordinatorFeatures::mayAsk)
                || annotations.hasKey(UnsupportedKoordinatorFeatures::mayAsk)) {
            RULES.forEach(rule -> rule.find(labels, annotations).ifPresent(found));
        }
    }

    /** Most pods have no such key: they cost this test alone. */
    private static boolean mayAsk(String key) {
        return KEYS.contains(key) || key.startsWith(GANG) || key.startsWith(POD_GROUP);
    }

    /** Finds the features that requests ask for. */
    public static void find(Resources requests, Consumer<UnsupportedFeature> found) {
        for (int i = 0; i < requests.size(); i++) {
            ResourceName name = requests.nameAt(i);
            if (requests.amountAt(i) > 0 && RESOURCES.contains(name)) {
                found.accept(new UnsupportedFeature(
                        "a device by Koordinator's resource (request %s: %s)"
                                .formatted(name, Quantity.of(name, requests.amountAt(i))),
                        "Request whole devices by the resource of their device plugin, such as nvidia.com/gpu"));
                return;
            }
        }
    }

    /**
     * A rule about keys.
     *
     * @param kinds which of the two may have the keys
     * @param keys the first one that asks for the feature is in the message; one that ends with a slash is a prefix
     * @param asksFor whether a value asks for the feature
     */
    private record Rule(
            String feature, String remedy, Set<KeyKind> kinds, List<String> keys, Predicate<String> asksFor) {
        Optional<UnsupportedFeature> find(Labels labels, Labels annotations) {
            return keys.stream()
                    .flatMap(key ->
                            Stream.concat(find(key, KeyKind.LABEL, labels), find(key, KeyKind.ANNOTATION, annotations)))
                    .findFirst();
        }

        private Stream<UnsupportedFeature> find(String key, KeyKind kind, Labels pairs) {
            return !kinds.contains(kind)
                    ? Stream.empty()
                    : pairs.toMap().entrySet().stream()
                            .filter(pair -> matches(key, pair.getKey()) && asksFor.test(pair.getValue()))
                            .map(pair -> new UnsupportedFeature(
                                    "%s (%s %s: %s)"
                                            .formatted(
                                                    feature,
                                                    kind.name().toLowerCase(Locale.ROOT),
                                                    pair.getKey(),
                                                    ForeignText.quote(pair.getValue())),
                                    remedy));
        }

        private static boolean matches(String key, String present) {
            return key.endsWith("/") ? present.startsWith(key) && !present.equals(GANG_TIMEOUT) : present.equals(key);
        }
    }

    private static boolean isAnyValue(String value) {
        return true;
    }

    /**
     * Whether a JSON object has a value other than these. What cannot be read, or has an unknown key, may ask for
     * anything.
     *
     * @param harmless the values by key in lower case: as in Koordinator, the case of a key does not count
     */
    private static boolean hasOtherValues(String text, Map<String, Set<String>> harmless) {
        if (text.isBlank()) {
            return false;
        }
        try {
            return JsonObject.parse(text.getBytes(StandardCharsets.UTF_8)).toMap().entrySet().stream()
                    .anyMatch(field -> !harmless.getOrDefault(field.getKey().toLowerCase(Locale.ROOT), Set.of())
                            .contains(String.valueOf(field.getValue())));
        } catch (MalformedObjectException malformed) {
            return true;
        }
    }
}
