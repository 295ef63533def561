package dev.berth.core.door.comeback;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Draw;
import java.util.Optional;

/** Leaves out malformed annotations of one reservation, and reports the first of them as the reservation's problem. */
final class PlaceholderCheck {
    /** The reservation, as the API server names it. */
    record Named(String namespace, String name, String uid) {}

    private final Named object;
    private String problem;

    PlaceholderCheck(Named object, String problem) {
        this.object = object;
        this.problem = problem;
    }

    String problem() {
        return problem;
    }

    String podUid(String text) {
        if (text.isEmpty() || PlaceId.parseUid(text).isPresent()) {
            return text;
        }
        say("annotation %s (%s) must be the UID of the pod that left".formatted(Words.PLACEHOLDER_UID, text));
        return "";
    }

    /** @param podUid as it is left after the check */
    Optional<Draw> draw(Optional<Draw> draw, String podUid) {
        PodUid identity = new PodUid(podUid.isEmpty() ? object.uid() : podUid);
        PlaceId own = new PlaceId(object.namespace(), object.name(), identity);
        Optional<Draw> sound = draw.filter(it -> !it.on().equals(own.holdId()));
        if (draw.isPresent() && sound.isEmpty()) {
            say("annotation %s (%s) names the Reservation's own place: name the hold that its room is part of"
                    .formatted(Words.DRAWS_ON, draw.get().on()));
        }
        return sound;
    }

    /** A pod takes only places of its namespace. */
    Optional<Placeholder.Took> took(Optional<Placeholder.Took> took) {
        Optional<Placeholder.Took> sound = took.filter(it -> PlaceId.parse(it.place())
                .filter(place -> place.namespace().equals(object.namespace()))
                .isPresent());
        if (took.isPresent() && sound.isEmpty()) {
            say("annotation %s (%s) must be return/%s/<name>/<UID of the pod that left the place>"
                    .formatted(Words.TOOK, took.get().place(), object.namespace()));
        }
        return sound;
    }

    private void say(String what) {
        if (problem.isEmpty()) {
            problem = what;
        }
    }
}
