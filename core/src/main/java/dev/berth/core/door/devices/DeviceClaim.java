package dev.berth.core.door.devices;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Pod;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * A claim on devices, as its ExtendedResourceClaim says. Pods name it; one pod at a time has it.
 *
 * @param allocation what Berth wrote into it when a pod got it
 * @param problem why the object makes no sense, if so
 */
public record DeviceClaim(
        DeviceObjectRef ref,
        DeviceClaimSpec spec,
        DeviceClaimAllocation allocation,
        DeviceObjectStatus status,
        Optional<String> problem)
        implements DeviceObject {
    /** The annotation on a pod that names the claims it makes, separated by commas. */
    public static final String ANNOTATION = "berth.dev/extended-resource-claims";

    /**
     * How many devices a pod can have, and how many claims it can make. The record of so many devices with the longest
     * names is what the annotations of a pod have room for.
     */
    public static final int MAX_PER_POD = 1_000;

    /** Which claim: pods name claims of their own namespace. */
    public record Key(String namespace, String name) implements Comparable<Key> {
        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::namespace).thenComparing(Key::name);

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * What its author asks for.
     *
     * @param deviceNames devices that must be among those given
     * @param count how many in all; 0 means as many as are named
     */
    public record DeviceClaimSpec(String resource, LabelSelector properties, List<String> deviceNames, long count) {
        public DeviceClaimSpec {
            deviceNames = List.copyOf(deviceNames);
        }

        /** How many devices in all. */
        public long total() {
            return count == 0 ? deviceNames.size() : count;
        }

        /** Why nobody can make sense of it, if so. */
        public Optional<String> problem() {
            if (resource.isBlank()) {
                return Optional.of("spec.rawResourceName is empty: it must equal that of the devices");
            }
            if (count < 0) {
                return Optional.of("spec.extendResourceNum (%d) is negative".formatted(count));
            }
            if (count == 0 && deviceNames.isEmpty()) {
                return Optional.of(
                        "spec.extendedResourceNames is empty and spec.extendResourceNum is 0: one of them must say what is wanted");
            }
            if (deviceNames.size() > MAX_PER_POD) {
                return Optional.of("spec.extendedResourceNames has %d names: a pod can have at most %d devices"
                        .formatted(deviceNames.size(), MAX_PER_POD));
            }
            if (count > MAX_PER_POD) {
                return Optional.of("spec.extendResourceNum (%d) is too large: a pod can have at most %d devices"
                        .formatted(count, MAX_PER_POD));
            }
            if (new HashSet<>(deviceNames).size() < deviceNames.size()) {
                return Optional.of("spec.extendedResourceNames %s names a device twice"
                        .formatted(DeviceNames.joinFirst(deviceNames)));
            }
            return deviceNames.size() > total()
                    ? Optional.of("spec.extendedResourceNames %s are more than spec.extendResourceNum (%d)"
                            .formatted(DeviceNames.joinFirst(deviceNames), count))
                    : Optional.empty();
        }
    }

    /**
     * What is in the object besides what its author asks for.
     *
     * @param deviceNames the devices in the specification: those given while a pod has the claim, else those asked for
     * @param requestedNames those asked for, where the specification says those given
     * @param podName the name of the pod that has it
     */
    public record DeviceClaimAllocation(
            List<String> deviceNames, Optional<List<String>> requestedNames, Optional<String> podName) {
        public DeviceClaimAllocation {
            deviceNames = List.copyOf(deviceNames);
            requestedNames = requestedNames.map(List::copyOf);
        }
    }

    /** The claims that the pod makes, each once, in the order of their names. */
    public static List<String> claimNamesOf(Pod pod) {
        return pod.annotations()
                .get(ANNOTATION)
                .map(value -> Arrays.stream(value.split(",", -1))
                        .map(String::strip)
                        .filter(name -> !name.isEmpty())
                        .sorted()
                        .distinct()
                        .toList())
                .orElse(List.of());
    }

    public Key key() {
        return new Key(ref.namespace(), ref.name());
    }

    /** Whether the other version of it can be met by the same devices. */
    boolean isEquivalentTo(DeviceClaim other) {
        return key().equals(other.key())
                && ref.group().equals(other.ref.group())
                && spec.equals(other.spec)
                && problem.equals(other.problem);
    }

    /** Why it makes no sense, if so: it cannot be read, or asks for nothing that there can be. */
    public Optional<String> invalidReason() {
        return problem.or(spec::problem);
    }
}
