package dev.berth.core.door.devices;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the claims of one pod request together. Tenants write claims of any size. The request is the same for every
 * node, so it is computed once for a pod. Then the cost for each node is O(devices of the node).
 */
final class PodDeviceRequest {
    private static final String NO_SUCH_DEVICES = "there are no such %s extended resource";

    /** What an unnamed device must match. Claims with equal selectors accept the same devices. */
    record DeviceSelector(String resource, LabelSelector properties) {
        static DeviceSelector of(DeviceClaim.DeviceClaimSpec deviceClaimSpec) {
            return new DeviceSelector(deviceClaimSpec.resource(), deviceClaimSpec.properties());
        }

        boolean matches(Device device) {
            return device.resource().equals(resource) && properties.matches(device.properties());
        }
    }

    private final Pod pod;
    private final long version;
    private final List<DeviceClaim.ClaimKey> claimKeys = new ArrayList<>();
    private final List<DeviceClaim> claims = new ArrayList<>();
    private final Map<DeviceSelector, Integer> countBySelector = new LinkedHashMap<>();
    private final Set<String> deviceNames = new LinkedHashSet<>();
    private boolean namesDeviceTwice;
    private long total;
    private Optional<String> unresolvableReason;
    private String allMissingMessage = "";

    /** Computes the request with the present claims. */
    PodDeviceRequest(Pod pod, DeviceClaimIndex file) {
        this.pod = pod;
        this.version = file.version();
        List<String> named = DeviceClaim.claimNamesOf(pod);
        this.unresolvableReason = named.size() <= DeviceClaim.MAX_PER_POD
                ? Optional.empty()
                : Optional.of("annotation %s names %d claims; the maximum is %d"
                        .formatted(DeviceClaim.ANNOTATION, named.size(), DeviceClaim.MAX_PER_POD));
        for (int i = 0; i < named.size() && unresolvableReason.isEmpty(); i++) {
            unresolvableReason = add(new DeviceClaim.ClaimKey(pod.namespace(), named.get(i)), file);
        }
        if (!deviceNames.isEmpty()) {
            allMissingMessage = NO_SUCH_DEVICES.formatted(DeviceNames.joinFirst(deviceNames));
        }
    }

    /** Whether this is the request of the pod with the present claims. */
    @SuppressWarnings("ReferenceEquality") // Comparing the pods would cost as much as computing the request.
    boolean isCurrentFor(Pod other, DeviceClaimIndex file) {
        return pod == other && version == file.version();
    }

    private Optional<String> add(DeviceClaim.ClaimKey key, DeviceClaimIndex file) {
        claimKeys.add(key);
        Optional<DeviceClaim> claim = file.findByKey(key);
        if (claim.isEmpty()) {
            return Optional.of("extendedresourceclaims \"%s\" not found".formatted(DeviceNames.truncate(key.name())));
        }
        Optional<String> invalidReason = claim.get().invalidReason();
        if (invalidReason.isPresent()) {
            return Optional.of("ExtendedResourceClaim %s: %s".formatted(key.name(), invalidReason.get()));
        }
        DeviceClaim.DeviceClaimSpec deviceClaimSpec = claim.get().spec();
        claims.add(claim.get());
        total += deviceClaimSpec.total();
        deviceClaimSpec.deviceNames().forEach(name -> namesDeviceTwice |= !deviceNames.add(name));
        countBySelector.merge(DeviceSelector.of(deviceClaimSpec), unnamedCount(deviceClaimSpec), Integer::sum);
        return total <= DeviceClaim.MAX_PER_POD
                ? Optional.empty()
                : Optional.of("the pod's claims request more than %d devices, the maximum per pod"
                        .formatted(DeviceClaim.MAX_PER_POD));
    }

    /** The number of devices that the claim requests besides those that it names. */
    static int unnamedCount(DeviceClaim.DeviceClaimSpec deviceClaimSpec) {
        return Math.toIntExact(
                deviceClaimSpec.total() - deviceClaimSpec.deviceNames().size());
    }

    /** The claims sorted by name; if one of them is unusable, only the claims up to that one. */
    List<DeviceClaim.ClaimKey> claimKeys() {
        return claimKeys;
    }

    /** Why the claims cannot be satisfied on any node. */
    Optional<String> unresolvableReason() {
        return unresolvableReason;
    }

    List<DeviceClaim> claims() {
        return claims;
    }

    long total() {
        return total;
    }

    Set<String> deviceNames() {
        return deviceNames;
    }

    /** Whether two claims name one device. */
    boolean namesDeviceTwice() {
        return namesDeviceTwice;
    }

    /** By selector, the number of unnamed devices. */
    Map<DeviceSelector, Integer> countBySelector() {
        return countBySelector;
    }

    /** Whether one of the claims accepts the device. */
    boolean matches(Device device) {
        return deviceNames.contains(device.name())
                || countBySelector.entrySet().stream()
                        .anyMatch(deviceSelector -> deviceSelector.getValue() > 0
                                && deviceSelector.getKey().matches(device));
    }

    /** Whether the claim accepts the device. */
    static boolean matches(DeviceClaim.DeviceClaimSpec deviceClaimSpec, Device device) {
        return device.resource().equals(deviceClaimSpec.resource())
                && (deviceClaimSpec.deviceNames().contains(device.name())
                        || (unnamedCount(deviceClaimSpec) > 0
                                && deviceClaimSpec.properties().matches(device.properties())));
    }

    /** The message about named devices that the node does not have. */
    Optional<String> missingMessage(List<Device> present) {
        if (deviceNames.isEmpty()) {
            return Optional.empty();
        }
        Set<String> found = present.stream()
                .map(Device::name)
                .filter(deviceNames::contains)
                .collect(Collectors.toCollection(HashSet::new));
        if (found.isEmpty()) {
            return Optional.of(allMissingMessage);
        }
        return found.size() == deviceNames.size()
                ? Optional.empty()
                : Optional.of(NO_SUCH_DEVICES.formatted(DeviceNames.joinFirst(
                        deviceNames.stream().filter(name -> !found.contains(name)),
                        deviceNames.size() - found.size())));
    }
}
