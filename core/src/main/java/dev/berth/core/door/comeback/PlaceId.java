package dev.berth.core.door.comeback;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import java.util.Optional;

/**
 * The identity of a place that a pod left: {@code return/<namespace>/<name>/<UID>}. Records on pods and annotations on
 * reservations name places, and tenants can write both, so text becomes a place by {@link #parse} alone.
 *
 * @param name of the reservation
 * @param pod the pod that left the place; the UID of the reservation where it stands for no pod
 */
record PlaceId(String namespace, String name, PodUid pod) {
    private static final String PREFIX = "return/";
    private static final char SEPARATOR = '/';

    /** The place that the id names; empty where it is the id of another door or not such an id at all. */
    static Optional<PlaceId> parse(HoldId id) {
        String text = id.value();
        if (!text.startsWith(PREFIX)) {
            return Optional.empty();
        }
        int afterNamespace = text.indexOf(SEPARATOR, PREFIX.length());
        int afterName = text.indexOf(SEPARATOR, afterNamespace + 1);
        if (afterNamespace < 0 || afterName < 0) {
            return Optional.empty();
        }
        String namespace = text.substring(PREFIX.length(), afterNamespace);
        String name = text.substring(afterNamespace + 1, afterName);
        return namespace.isBlank() || name.isBlank()
                ? Optional.empty()
                : parseUid(text.substring(afterName + 1)).map(pod -> new PlaceId(namespace, name, pod));
    }

    /** The UID, where the text can be one that is part of an id. */
    static Optional<PodUid> parseUid(String text) {
        boolean fits = !text.isBlank() && text.indexOf(SEPARATOR) < 0 && text.equals(text.strip());
        return fits ? Optional.of(new PodUid(text)) : Optional.empty();
    }

    static boolean isPlace(HoldId id) {
        return parse(id).isPresent();
    }

    HoldId holdId() {
        return new HoldId(PREFIX + namespace + SEPARATOR + name + SEPARATOR + pod.value());
    }

    /** Who left it. The name of the reservation may be another one when the door is told of the pod's end once more. */
    PodKey leftBy() {
        return new PodKey(namespace, pod);
    }

    /** A pod that left a place. A tenant chooses what a reservation says of it, but not the namespace of the reservation. */
    record PodKey(String namespace, PodUid uid) {}
}
