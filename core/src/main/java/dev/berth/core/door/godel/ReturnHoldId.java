package dev.berth.core.door.godel;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import java.util.Optional;

/**
 * The id of a return hold: {@code godel/<namespace>/<name>/<UID>}. Records on pods and annotations on Reservations
 * contain ids, and tenants can write both. Therefore only {@link #parse} turns text into an id.
 *
 * @param name of the Reservation
 * @param originalPod the original pod; the UID of the Reservation if it has no original pod
 */
record ReturnHoldId(String namespace, String name, PodUid originalPod) {
    private static final String PREFIX = "godel/";
    private static final char SEPARATOR = '/';

    /** Empty if the id is malformed or belongs to a different door. */
    static Optional<ReturnHoldId> parse(HoldId id) {
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
                : parseUid(text.substring(afterName + 1)).map(pod -> new ReturnHoldId(namespace, name, pod));
    }

    /** Empty if the text cannot be a UID within an id. */
    static Optional<PodUid> parseUid(String text) {
        boolean isValid = !text.isBlank() && text.indexOf(SEPARATOR) < 0 && text.equals(text.strip());
        return isValid ? Optional.of(new PodUid(text)) : Optional.empty();
    }

    static boolean isReturnHold(HoldId id) {
        return parse(id).isPresent();
    }

    HoldId holdId() {
        return new HoldId(PREFIX + namespace + SEPARATOR + name + SEPARATOR + originalPod.value());
    }

    /** The original pod. After a restart Berth may choose another name for the Reservation of the same pod. */
    PodKey originalPodKey() {
        return new PodKey(namespace, originalPod);
    }

    /** An original pod. A tenant chooses the pod that a Reservation names, but only within the namespace. */
    record PodKey(String namespace, PodUid uid) {}
}
