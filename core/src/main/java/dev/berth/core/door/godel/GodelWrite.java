package dev.berth.core.door.godel;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.Origin;
import dev.berth.core.resource.Resources;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The writes to Reservations. */
public sealed interface GodelWrite extends Effect.Write {
    String namespace();

    String name();

    /**
     * Creates a Reservation.
     *
     * @param draw the hold that the return hold draws on, with a stand-in for the successor
     */
    record CreateReservation(
            String namespace,
            String name,
            Map<String, String> annotations,
            String nodeName,
            Duration ttl,
            ReservedPodTemplate template,
            Optional<Draw> draw)
            implements GodelWrite {
        public CreateReservation {
            annotations = Collections.unmodifiableMap(new TreeMap<>(annotations));
        }

        /** A Reservation that draws on no hold. */
        public CreateReservation(
                String namespace,
                String name,
                Map<String, String> annotations,
                String node,
                Duration ttl,
                ReservedPodTemplate template) {
            this(namespace, name, annotations, node, ttl, template, Optional.empty());
        }

        /**
         * Contains the original pod: a write for a different pod under the same name must not replace this one in the
         * queue.
         */
        @Override
        public String key() {
            String pod = annotations.getOrDefault(GodelAnnotations.PLACEHOLDER_UID, "");
            return "Reservation %s/%s of pod %s".formatted(namespace, name, pod);
        }

        /** The template of the Reservation: one container with all requests of the pod. */
        public record ReservedPodTemplate(
                String schedulerName, int priority, Resources requests, List<HostPort> hostPorts) {
            public ReservedPodTemplate {
                hostPorts = List.copyOf(hostPorts);
            }
        }
    }

    /** A write to a Reservation that the API server shows. The UID is its precondition. */
    sealed interface ExistingReservationWrite extends GodelWrite {
        String uid();
    }

    /** Sets the phase Matched and the successor. */
    record MarkMatched(String namespace, String name, String uid, Successor successor)
            implements ExistingReservationWrite {}

    record DeleteReservation(String namespace, String name, String uid) implements ExistingReservationWrite {}

    /** The pod that is bound into the hold. */
    record Successor(String namespace, String name, PodUid uid, String nodeName) {}

    @Override
    default Origin.DoorId component() {
        return Origin.DoorId.GODEL;
    }

    @Override
    default String key() {
        return "Reservation %s/%s".formatted(namespace(), name());
    }
}
