package dev.berth.core.resource;

/**
 * The name of a resource as nodes advertise it and pods request it, such as {@code cpu} or {@code example.com/gpu}.
 * Equal names share one string, so that comparing them is usually comparing references.
 */
public record ResourceName(String value) implements Comparable<ResourceName> {
    /** In thousandths of a core; every other resource in whole units. */
    public static final ResourceName CPU = new ResourceName("cpu");

    public static final ResourceName MEMORY = new ResourceName("memory");
    public static final ResourceName EPHEMERAL_STORAGE = new ResourceName("ephemeral-storage");
    public static final ResourceName PODS = new ResourceName("pods");

    public ResourceName {
        if (value.isBlank()) {
            throw new IllegalArgumentException("resource name (%s) is blank".formatted(value));
        }
        value = value.intern();
    }

    /** Whether its units are bytes, which users read in powers of 1024. */
    public boolean isInBytes() {
        return equals(MEMORY) || equals(EPHEMERAL_STORAGE) || isHugePages();
    }

    public boolean isHugePages() {
        return value.startsWith("hugepages-");
    }

    /**
     * Whether it is a scalar resource in the sense of Kubernetes: only some nodes have it, and pods request it by name.
     */
    public boolean isScalar() {
        return value.indexOf('/') >= 0 || isHugePages() || value.startsWith("attachable-volumes-");
    }

    @Override
    @SuppressWarnings({"ReferenceEquality", "StringEquality"}) // Interned: equal names are one string.
    public boolean equals(Object other) {
        return other instanceof ResourceName name && name.value == value;
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public int compareTo(ResourceName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
