package dev.berth.core.door.koordinator.settings;

import dev.berth.core.resource.ResourceName;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/**
 * Extended resources that are not compared when a pod is to use a reservation.
 *
 * @param names the names of resources
 * @param groups the part of the name before the slash
 */
public record IgnoredResources(Set<ResourceName> names, Set<String> groups) {
    public static final IgnoredResources NONE = new IgnoredResources(Set.of(), Set.of());

    private static final String KUBERNETES = "kubernetes.io";

    public IgnoredResources {
        names.forEach(name -> {
            if (!isExtended(name)) {
                throw new IllegalArgumentException(
                        "(%s) must be an extended resource such as example.com/gpu: Berth counts every other resource"
                                .formatted(name));
            }
        });
        groups.forEach(group -> {
            if (group.isBlank() || group.indexOf('/') >= 0 || group.equals(KUBERNETES)) {
                throw new IllegalArgumentException(
                        "(%s) must be a group of extended resources such as example.com, without a slash"
                                .formatted(group));
            }
        });
        names = Collections.unmodifiableSet(new TreeSet<>(names));
        groups = Collections.unmodifiableSet(new TreeSet<>(groups));
    }

    /** Whether the resource is not compared. */
    public boolean contains(ResourceName resource) {
        if (names.isEmpty() && groups.isEmpty()) {
            return false;
        }
        return isExtended(resource)
                && (names.contains(resource)
                        || groups.contains(
                                resource.value().substring(0, resource.value().indexOf('/'))));
    }

    /** As in Kubernetes: every name with a group is extended, unless the group belongs to Kubernetes. */
    private static boolean isExtended(ResourceName resource) {
        return resource.value().indexOf('/') > 0 && !resource.value().contains(KUBERNETES + "/");
    }
}
