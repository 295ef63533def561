package dev.berth.core.door.nodeannotation;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Origin;
import dev.berth.core.resource.Resources;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What the annotations of a node reserve, as the node was last observed.
 *
 * @param reservedByOwner by the UID of the object whose pods the resources are reserved for
 * @param problems what is malformed in the annotations, as messages for users
 */
public record NodeReservedResources(
        NodeUid node, String nodeName, Map<String, Resources> reservedByOwner, List<String> problems)
        implements Fact.ComponentFact {
    private static final Pattern UID = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    public NodeReservedResources {
        reservedByOwner = Collections.unmodifiableMap(new TreeMap<>(reservedByOwner));
        problems = List.copyOf(problems);
    }

    /** The UIDs of the objects whose pods something is reserved for, sorted. */
    Set<String> owners() {
        return reservedByOwner.keySet();
    }

    /** Whether the owner has the form of a UID of the API server. */
    public static boolean isUid(String owner) {
        return UID.matcher(owner).matches();
    }

    EventTarget eventTarget() {
        return EventTarget.ofNode(node, nodeName);
    }

    @Override
    public Origin.DoorId component() {
        return Origin.DoorId.NODE_ANNOTATION;
    }
}
