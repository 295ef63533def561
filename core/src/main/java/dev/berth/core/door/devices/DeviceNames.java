package dev.berth.core.door.devices;

import dev.berth.core.text.ForeignText;
import dev.berth.core.text.NameList;
import java.util.Collection;
import java.util.stream.Stream;

/** Names of devices in messages. Tenants write them: a message names a few, and of each no more than a name can have. */
final class DeviceNames {
    private static final int MAX_NAMED = 3;
    /** No object of Kubernetes has a longer name. */
    private static final int MAX_NAME_LENGTH = 253;

    private DeviceNames() {}

    static String joinFirst(Collection<String> names) {
        return joinFirst(names.stream(), names.size());
    }

    /** The first few of so many. */
    static String joinFirst(Stream<String> names, long count) {
        return "[" + NameList.first(MAX_NAMED, names.map(DeviceNames::truncate), count) + "]";
    }

    static String truncate(String name) {
        return ForeignText.truncate(name, MAX_NAME_LENGTH);
    }
}
