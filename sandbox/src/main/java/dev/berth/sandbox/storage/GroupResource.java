package dev.berth.sandbox.storage;

import java.util.Objects;

/**
 * The name of a resource: an API group and a plural. All versions of a kind share one storage, so the
 * version is not part of it.
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
