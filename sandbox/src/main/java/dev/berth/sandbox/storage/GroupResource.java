package dev.berth.sandbox.storage;

import java.util.Objects;

/**
 * Names what is stored together: an API group and the plural of its kind. Versions of a kind share one storage, so the
 * version is no part of it.
 */
public record GroupResource(String group, String plural) implements Comparable<GroupResource> {

    public GroupResource {
        Objects.requireNonNull(group, "group");
        if (plural.isEmpty()) {
            throw new IllegalArgumentException("plural is empty for group (" + group + ")");
        }
    }

    /** The name as Kubernetes writes it in messages: {@code pods}, {@code deployments.apps}. */
    public String qualifiedName() {
        return group.isEmpty() ? plural : plural + "." + group;
    }

    @Override
    public int compareTo(GroupResource other) {
        int byGroup = group.compareTo(other.group);
        return byGroup != 0 ? byGroup : plural.compareTo(other.plural);
    }
}
