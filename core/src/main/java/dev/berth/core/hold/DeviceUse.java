package dev.berth.core.hold;

import dev.berth.core.cluster.Labels;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The named devices that a pod uses, by claim. The record is an annotation of the pod, written together with the bind,
 * such as {@code k80-erc=er1,er2;other=er3}. Until then the use is only assumed.
 */
public record DeviceUse(SortedMap<String, List<String>> byClaim) {
    /**
     * The annotation of a bound pod that names the devices that it uses. Tenants can write it, so it is only evidence.
     */
    public static final String ANNOTATION = "berth.dev/devices";

    public static final DeviceUse NONE = new DeviceUse(new TreeMap<>());

    public DeviceUse {
        TreeMap<String, List<String>> copy = new TreeMap<>();
        byClaim.forEach((claim, devices) -> copy.put(claim, List.copyOf(devices)));
        byClaim = Collections.unmodifiableSortedMap(copy);
    }

    /** The use that the annotations record. Malformed parts are ignored. */
    public static Optional<DeviceUse> recordedIn(Labels annotations) {
        return annotations.get(ANNOTATION).map(DeviceUse::parse).filter(use -> !use.isEmpty());
    }

    private static DeviceUse parse(String text) {
        SortedMap<String, List<String>> byClaim = new TreeMap<>();
        for (String part : text.split(";", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                List<String> devices = Arrays.stream(part.substring(equals + 1).split(",", -1))
                        .filter(device -> !device.isBlank())
                        .toList();
                byClaim.put(part.substring(0, equals), devices);
            }
        }
        return new DeviceUse(byClaim);
    }

    public boolean isEmpty() {
        return byClaim.isEmpty();
    }

    public List<String> devices() {
        return byClaim.values().stream().flatMap(List::stream).toList();
    }

    public List<String> devicesOf(String claim) {
        return byClaim.getOrDefault(claim, List.of());
    }

    /** The value of the annotation. */
    public String annotationValue() {
        return byClaim.entrySet().stream().map(DeviceUse::claimText).collect(Collectors.joining(";"));
    }

    private static String claimText(Map.Entry<String, List<String>> entry) {
        return entry.getKey() + "=" + String.join(",", entry.getValue());
    }
}
