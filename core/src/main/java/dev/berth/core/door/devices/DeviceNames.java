package dev.berth.core.door.devices;

import dev.berth.core.text.ForeignText;
import dev.berth.core.text.NameList;
import java.util.Collection;
import java.util.stream.Stream;

/**
 * The names of devices in messages. Tenants write the names, so a message contains a limited number of them, each of
 * limited length.
 */
final class DeviceNames {
    private static final int MAX_NAMED = 3;
    /** The maximum length of a name in Kubernetes. */
    private static final int MAX_NAME_LENGTH = 253;

    private DeviceNames() {}

    static String joinFirst(Collection<String> names) {
        return joinFirst(names.stream(), names.size());
    }

    /** The first few names. */
    static String joinFirst(Stream<String> names, long count) {
        return "[" + NameList.first(MAX_NAMED, names.map(DeviceNames::truncate), count) + "]";
    }

    static String truncate(String name) {
        return ForeignText.truncate(name, MAX_NAME_LENGTH);
    }
}
