package dev.berth.core.door.annotation;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Subject;
import dev.berth.core.hold.Origin;
import dev.berth.core.resource.Resources;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What a node's annotations keep, as they are now.
 *
 * @param kept by the UID of the object whose pods it is kept for
 * @param problems what could not be understood, in words for its author
 */
public record NodeReserves(NodeUid node, String nodeName, Map<String, Resources> kept, List<String> problems)
        implements Fact.OfDoor {
    private static final Pattern UID = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    public NodeReserves {
        kept = Collections.unmodifiableMap(new TreeMap<>(kept));
        problems = List.copyOf(problems);
    }

    /** Whether the owner is named as the API server names objects. */
    public static boolean isUid(String owner) {
        return UID.matcher(owner).matches();
    }

    Subject subject() {
        return Subject.ofNode(node, nodeName);
    }

    @Override
    public Origin.Door door() {
        return Origin.Door.NODE_ANNOTATION;
    }
}
