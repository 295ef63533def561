package dev.berth.core.door.comeback;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Effect;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.Origin;
import dev.berth.core.resource.Resources;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What the door writes: reservations, from their first to their last day. */
public sealed interface ComebackWrite extends Effect.Write {
    String namespace();

    String name();

    /**
     * A place is kept.
     *
     * @param draw the hold that its room is part of, with a stand-in for the successor
     */
    record Create(
            String namespace,
            String name,
            Map<String, String> annotations,
            String node,
            Duration ttl,
            Template template,
            Optional<Draw> draw)
            implements ComebackWrite {
        public Create {
            annotations = Collections.unmodifiableMap(new TreeMap<>(annotations));
        }

        /** A place whose room is part of no other hold. */
        public Create(
                String namespace,
                String name,
                Map<String, String> annotations,
                String node,
                Duration ttl,
                Template template) {
            this(namespace, name, annotations, node, ttl, template, Optional.empty());
        }

        /** Of the pod that left: what others want of a reservation of this name must not push it aside. */
        @Override
        public String key() {
            String pod = annotations.getOrDefault(Words.PLACEHOLDER_UID, "");
            return "Reservation %s/%s of pod %s".formatted(namespace, name, pod);
        }

        /** What is kept, as one container that asks for all that the pod took. */
        public record Template(String schedulerName, int priority, Resources requests, List<HostPort> ports) {
            public Template {
                ports = List.copyOf(ports);
            }
        }
    }

    /** Somebody came back. */
    record Match(String namespace, String name, String uid, Taker taker) implements ComebackWrite {}

    /** It is over. */
    record Delete(String namespace, String name, String uid) implements ComebackWrite {}

    /** The pod that took the place. */
    record Taker(String namespace, String name, PodUid uid, String node) {}

    @Override
    default Origin.Door door() {
        return Origin.Door.RETURN;
    }

    @Override
    default String key() {
        return "Reservation %s/%s".formatted(namespace(), name());
    }
}
