package dev.berth.embedded.store;

import java.util.Objects;

/**
 * Names what is stored together: an API group and the plural of its kind. Versions of a kind share one storage, so the
 * version is no part of it.
 */
public record ResourceId(String group, String plural) implements Comparable<ResourceId> {

    public ResourceId {
        Objects.requireNonNull(group, "group");
        if (plural.isEmpty()) {
            throw new IllegalArgumentException("plural is empty for group (" + group + ")");
        }
    }

    /** The name as Kubernetes writes it in messages: {@code pods}, {@code deployments.apps}. */
    public String qualified() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    @Override
    public int compareTo(ResourceId other) {
        int byGroup = group.compareTo(other.group);
        return byGroup != 0 ? byGroup : plural.compareTo(other.plural);
    }
}
