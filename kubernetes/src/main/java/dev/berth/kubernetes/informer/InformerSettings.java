package dev.berth.kubernetes.informer;

import dev.berth.kubernetes.watch.ReflectorSettings;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is read and how.
 *
 * @param annotationPrefixes only annotations of pods and nodes that begin with one of these are read
 * @param pageSize the number of objects in a page of a list
 */
public record InformerSettings(List<String> annotationPrefixes, int pageSize, ReflectorSettings reflectorSettings) {
    /** The prefixes of the annotations that doors read. */
    public static final InformerSettings DEFAULT = new InformerSettings(
            List.of(
                    "berth.dev/",
                    "scheduling.koordinator.sh/",
                    "gang.scheduling.koordinator.sh/",
                    "pod-group.scheduling.sigs.k8s.io",
                    "godel.bytedance.com/",
                    "pod.tce.kubernetes.io/",
                    "reserve.",
                    "cluster-autoscaler.kubernetes.io/"),
            10_000,
            ReflectorSettings.DEFAULT);

    public InformerSettings {
        annotationPrefixes = List.copyOf(annotationPrefixes);
        if (pageSize < 1) {
            throw new IllegalArgumentException("pageSize (%d) must be at least 1".formatted(pageSize));
        }
    }

    /** The settings with which this annotation is read, too. */
    public InformerSettings withAnnotation(String key) {
        return new InformerSettings(
                Stream.concat(annotationPrefixes.stream(), Stream.of(key)).toList(), pageSize, reflectorSettings);
    }

    boolean keepsAnnotation(String key) {
        for (String prefix : annotationPrefixes) {
            if (key.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
