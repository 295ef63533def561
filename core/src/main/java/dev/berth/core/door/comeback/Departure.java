package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.ReturnKey;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** A bound pod that leaves, from the moment it is asked to until its place is written down. */
final class Departure {
    /** How far it is. */
    enum Stage {
        /** It is still there. */
        LEAVING,
        /** It went before everything was listed: who knows what it asked for. */
        UNJUDGED,
        /** It is gone and its place must be written down. */
        OWED,
        SENT,
        WRITTEN
    }

    private Pod pod;
    private Stage stage;
    private Optional<Place> place = Optional.empty();
    private boolean abandoned;

    /**
     * What it leaves behind.
     *
     * @param name of the reservation to be
     */
    record Place(String name, Hold hold, ReturnKey key, String node, Duration lifetime) {
        String fullName() {
            return Placeholder.fullName(key.namespace(), name);
        }

        /** Whether the reservation is the one to be, or at least as good: its author can have made it larger. */
        boolean isKeptBy(Placeholder reservation) {
            return name.equals(reservation.name())
                    && node.equals(reservation.node())
                    && key.key().equals(reservation.key())
                    && hold.size().withoutZeros().isWithin(reservation.size())
                    && Set.copyOf(reservation.ports()).containsAll(hold.ports());
        }
    }

    Departure(Pod pod, Stage stage) {
        this.pod = pod;
        this.stage = stage;
    }

    Pod pod() {
        return pod;
    }

    void pod(Pod news) {
        pod = news;
    }

    Stage stage() {
        return stage;
    }

    void stage(Stage next) {
        stage = next;
    }

    Optional<Place> place() {
        return place;
    }

    void place(Optional<Place> left) {
        place = left;
    }

    /** Whether nobody would know of it if this process ended. */
    boolean owed() {
        return switch (stage) {
            case UNJUDGED, OWED, SENT -> true;
            case LEAVING, WRITTEN -> false;
        };
    }

    /** Nobody will come back: the reservation that is on its way is to be deleted. */
    void abandon() {
        abandoned = true;
    }

    boolean abandoned() {
        return abandoned;
    }

    static ComebackWrite.Create creation(Pod pod, Place place) {
        Map<String, String> annotations = new TreeMap<>();
        annotations.put(ReturnKey.INDEX, place.key().key());
        annotations.put(Words.PLACEHOLDER_UID, pod.uid().value());
        annotations.put(Words.ORIGINAL_POD, pod.name());
        annotations.put(Words.NODE_UID, place.hold().node().value());
        Optional<Draw> draw = place.hold().draw();
        draw.ifPresent(drawn -> annotations.put(Words.DRAWS_ON, drawn.on().value()));
        Takers.placeOf(pod)
                .ifPresent(taken -> annotations.put(Words.TOOK, taken.holdId().value()));
        pod.controller().ifPresent(owner -> {
            annotations.put(Words.OWNER_TYPE, owner.kind());
            annotations.put(Words.OWNER, owner.name());
            if (StatefulSets.isOne(owner) && !owner.uid().isEmpty()) {
                annotations.put(Words.OWNER_UID, owner.uid());
            }
        });
        ComebackWrite.Create.Template template = new ComebackWrite.Create.Template(
                pod.schedulerName(),
                pod.priority(),
                pod.shape().requests(),
                pod.shape().hostPorts());
        return new ComebackWrite.Create(
                pod.namespace(), place.name(), annotations, place.node(), place.lifetime(), template, draw);
    }
}
