package dev.berth.kubernetes.feed;

import dev.berth.kubernetes.watch.ReflectorSettings;
import java.util.List;

/**
 * What is read and how.
 *
 * @param annotationPrefixes annotations of pods and nodes that begin with one of these are kept, the others not
 * @param partSize how many objects a part of a list has
 */
public record FeedSettings(List<String> annotationPrefixes, int partSize, ReflectorSettings reflector) {
    /** Those that the doors read: see the design. */
    public static final FeedSettings DEFAULT = new FeedSettings(
            List.of(
                    "berth.dev/",
                    "scheduling.koordinator.sh/",
                    "godel.bytedance.com/",
                    "pod.tce.kubernetes.io/",
                    "reserve.",
                    "cluster-autoscaler.kubernetes.io/"),
            10_000,
            ReflectorSettings.DEFAULT);

    public FeedSettings {
        annotationPrefixes = List.copyOf(annotationPrefixes);
        if (partSize < 1) {
            throw new IllegalArgumentException("partSize (%d) must be at least 1".formatted(partSize));
        }
    }

    boolean wantsAnnotation(String key) {
        for (String prefix : annotationPrefixes) {
            if (key.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
