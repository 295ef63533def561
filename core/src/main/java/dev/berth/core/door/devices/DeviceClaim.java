package dev.berth.core.door.devices;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Pod;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * A claim on devices, as its ExtendedResourceClaim describes it. Pods name the claim; one pod at a time has it.
 *
 * @param allocation what Berth wrote into the claim when a pod got it
 * @param problem why the object is invalid, if it is
 */
public record DeviceClaim(
        DeviceObjectRef ref,
        DeviceClaimSpec spec,
        DeviceClaimAllocation allocation,
        DeviceObjectStatus status,
        Optional<String> problem)
        implements DeviceObject {
    /** The annotation of a pod that names its claims, separated by commas. */
    public static final String ANNOTATION = "berth.dev/extended-resource-claims";

    /**
     * The maximum number of devices of a pod, and of claims that a pod names. A record of so many devices with the
     * longest names fits into the annotations of a pod.
     */
    public static final int MAX_PER_POD = 1_000;

    /** The key of a claim. Pods name claims of their own namespace. */
    public record ClaimKey(String namespace, String name) implements Comparable<ClaimKey> {
        private static final Comparator<ClaimKey> ORDER =
                Comparator.comparing(ClaimKey::namespace).thenComparing(ClaimKey::name);

        @Override
        public int compareTo(ClaimKey other) {
            return ORDER.compare(this, other);
        }
    }

    /**
     * What the claim requests.
     *
     * @param deviceNames devices that must be among the allocated ones
     * @param count the number of devices; 0 means as many as are named
     */
    public record DeviceClaimSpec(String resource, LabelSelector properties, List<String> deviceNames, long count) {
        public DeviceClaimSpec {
            deviceNames = List.copyOf(deviceNames);
        }

        /** The number of requested devices. */
        public long total() {
            return count == 0 ? deviceNames.size() : count;
        }

        /** Why the spec is invalid; empty if it is valid. */
        public Optional<String> problem() {
            if (resource.isBlank()) {
                return Optional.of("spec.rawResourceName is empty: it must equal that of the devices");
            }
            if (count < 0) {
                return Optional.of("spec.extendResourceNum (%d) is negative".formatted(count));
            }
            if (count == 0 && deviceNames.isEmpty()) {
                return Optional.of(
                        "spec.extendedResourceNames is empty and spec.extendResourceNum is 0. Set one of them");
            }
            if (deviceNames.size() > MAX_PER_POD) {
                return Optional.of("spec.extendedResourceNames has %d names; the maximum is %d devices per pod"
                        .formatted(deviceNames.size(), MAX_PER_POD));
            }
            if (count > MAX_PER_POD) {
                return Optional.of("spec.extendResourceNum (%d) is too large; the maximum is %d devices per pod"
                        .formatted(count, MAX_PER_POD));
            }
            if (new HashSet<>(deviceNames).size() < deviceNames.size()) {
                return Optional.of("spec.extendedResourceNames %s names a device twice"
                        .formatted(DeviceNames.joinFirst(deviceNames)));
            }
            return deviceNames.size() > total()
                    ? Optional.of("spec.extendedResourceNames %s has more names than spec.extendResourceNum (%d)"
                            .formatted(DeviceNames.joinFirst(deviceNames), count))
                    : Optional.empty();
        }
    }

    /**
     * The parts of the object that Berth writes.
     *
     * @param deviceNames the devices in the object's spec: the allocated ones while a pod has the claim, else the
     * requested ones
     * @param requestedNames the requested devices, if the spec has the allocated ones
     * @param podName the name of the pod that has the claim
     */
    public record DeviceClaimAllocation(
            List<String> deviceNames, Optional<List<String>> requestedNames, Optional<String> podName) {
        public DeviceClaimAllocation {
            deviceNames = List.copyOf(deviceNames);
            requestedNames = requestedNames.map(List::copyOf);
        }
    }

    /** The claims that the pod names, each once, sorted by name. */
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

    public ClaimKey key() {
        return new ClaimKey(ref.namespace(), ref.name());
    }

    /** Whether the same devices satisfy both versions of the claim. */
    boolean isEquivalentTo(DeviceClaim other) {
        return key().equals(other.key())
                && ref.group().equals(other.ref.group())
                && spec.equals(other.spec)
                && problem.equals(other.problem);
    }

    /** Why the claim is invalid: it is malformed, or no devices can satisfy it. Empty if it is valid. */
    public Optional<String> invalidReason() {
        return problem.or(spec::problem);
    }
}
