package dev.berth.core.door.device;

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
 * What the claims of one pod ask for together. Tenants write it, and it is the same for every node: it is worked out once
 * for a pod, and each node costs what it has of devices.
 */
final class DeviceRequest {
    private static final String NO_SUCH = "there are no such %s extended resource";

    /** Devices that are asked for by count: claims of one kind would take the same devices. */
    record Kind(String resource, LabelSelector properties) {
        static Kind of(DeviceClaim.Ask ask) {
            return new Kind(ask.resource(), ask.properties());
        }

        boolean matches(Device device) {
            return device.resource().equals(resource) && properties.matches(device.properties());
        }
    }

    private final Pod pod;
    private final long version;
    private final List<DeviceClaim.Key> keys = new ArrayList<>();
    private final List<DeviceClaim> claims = new ArrayList<>();
    private final Map<Kind, Integer> byCount = new LinkedHashMap<>();
    private final Set<String> names = new LinkedHashSet<>();
    private boolean namedTwice;
    private long total;
    private Optional<String> obstacle;
    private String allMissing = "";

    /** Works out what the pod asks for, as the claims are now. */
    DeviceRequest(Pod pod, ClaimFile file) {
        this.pod = pod;
        this.version = file.version();
        List<String> named = DeviceClaim.namedBy(pod);
        this.obstacle = named.size() <= DeviceClaim.MOST
                ? Optional.empty()
                : Optional.of("annotation %s names %d claims: a pod can make at most %d"
                        .formatted(DeviceClaim.ANNOTATION, named.size(), DeviceClaim.MOST));
        for (int i = 0; i < named.size() && obstacle.isEmpty(); i++) {
            obstacle = add(new DeviceClaim.Key(pod.namespace(), named.get(i)), file);
        }
        if (!names.isEmpty()) {
            allMissing = NO_SUCH.formatted(DeviceNames.few(names));
        }
    }

    /** Whether it is what the pod asks for, as the claims are now. */
    @SuppressWarnings("ReferenceEquality") // To compare the pods would cost as much as to work it out.
    boolean isOf(Pod other, ClaimFile file) {
        return pod == other && version == file.version();
    }

    private Optional<String> add(DeviceClaim.Key key, ClaimFile file) {
        keys.add(key);
        Optional<DeviceClaim> claim = file.named(key);
        if (claim.isEmpty()) {
            return Optional.of("extendedresourceclaims \"%s\" not found".formatted(DeviceNames.cut(key.name())));
        }
        Optional<String> flaw = claim.get().flaw();
        if (flaw.isPresent()) {
            return Optional.of("ExtendedResourceClaim %s: %s".formatted(key.name(), flaw.get()));
        }
        DeviceClaim.Ask ask = claim.get().ask();
        claims.add(claim.get());
        total += ask.total();
        ask.names().forEach(name -> namedTwice |= !names.add(name));
        byCount.merge(Kind.of(ask), byCount(ask), Integer::sum);
        return total <= DeviceClaim.MOST
                ? Optional.empty()
                : Optional.of("the pod's claims ask for more than %d devices: a pod can have at most so many"
                        .formatted(DeviceClaim.MOST));
    }

    /** How many devices the claim asks for beside those that it names. */
    static int byCount(DeviceClaim.Ask ask) {
        return Math.toIntExact(ask.total() - ask.names().size());
    }

    /** The claims in the order of their names; where there is an obstacle, up to the claim that is in the way. */
    List<DeviceClaim.Key> keys() {
        return keys;
    }

    /** Why the claims are of no use to the pod on any node. */
    Optional<String> obstacle() {
        return obstacle;
    }

    List<DeviceClaim> claims() {
        return claims;
    }

    long total() {
        return total;
    }

    Set<String> names() {
        return names;
    }

    /** Whether two claims name one device. */
    boolean namesTwice() {
        return namedTwice;
    }

    /** By kind, how many devices are asked for by count. */
    Map<Kind, Integer> byCount() {
        return byCount;
    }

    /** Whether the device would do for one of the claims. */
    boolean wants(Device device) {
        return names.contains(device.name())
                || byCount.entrySet().stream()
                        .anyMatch(kind -> kind.getValue() > 0 && kind.getKey().matches(device));
    }

    /** Whether the device would do for the claim. */
    static boolean wants(DeviceClaim.Ask ask, Device device) {
        return device.resource().equals(ask.resource())
                && (ask.names().contains(device.name())
                        || (byCount(ask) > 0 && ask.properties().matches(device.properties())));
    }

    /** What the node has not of the devices that are asked for by name, as a message. */
    Optional<String> missing(List<Device> present) {
        if (names.isEmpty()) {
            return Optional.empty();
        }
        Set<String> there = present.stream()
                .map(Device::name)
                .filter(names::contains)
                .collect(Collectors.toCollection(HashSet::new));
        if (there.isEmpty()) {
            return Optional.of(allMissing);
        }
        return there.size() == names.size()
                ? Optional.empty()
                : Optional.of(NO_SUCH.formatted(DeviceNames.few(
                        names.stream().filter(name -> !there.contains(name)), names.size() - there.size())));
    }
}
