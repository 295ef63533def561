package dev.berth.core.door.device;

import java.util.Collection;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names of devices in messages. Tenants write them: a message names a few, and of each no more than a name can have. */
final class DeviceNames {
    private static final int NAMED = 3;
    /** No object of Kubernetes has a longer name. */
    private static final int LONGEST = 253;

    private DeviceNames() {}

    static String few(Collection<String> names) {
        return few(names.stream(), names.size());
    }

    /** The first few of so many. */
    static String few(Stream<String> names, long count) {
        String more = count > NAMED ? " and %d more".formatted(count - NAMED) : "";
        return names.limit(NAMED).map(DeviceNames::cut).collect(Collectors.joining(", ", "[", more + "]"));
    }

    static String cut(String name) {
        return name.length() <= LONGEST ? name : name.substring(0, LONGEST) + "...";
    }
}
