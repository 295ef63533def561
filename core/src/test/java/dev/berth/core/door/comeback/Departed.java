package dev.berth.core.door.comeback;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The pods that asked and went. Their places are kept until their time is over, unless an event says why not, with reason;
 * and what is over does not come back.
 */
final class Departed {
    private static final String GIVEN_AWAY = "was given to other pods";
    private static final String NO_ROOM = "there is no room for it";
    private static final String TAKEN_BACK = "takes its room";
    private static final String NOT_ADMITTED = "does not admit the pod's successor";

    private final Scene scene;
    private final Unknowable unknowable;
    /** When the place is over at the earliest: one that a restart finds begins then. */
    private final Map<String, Instant> until = new HashMap<>();
    /** The same of all that ever went: at the next start an event may say that such a place is over. */
    private final Map<String, Instant> endOf = new HashMap<>();
    /** Pods whose places were written down in time. */
    private final Set<String> written = new HashSet<>();
    /** Of those, the ones whose time was over, and which were not kept then. */
    private final Set<String> over = new HashSet<>();

    Departed(Scene scene, Unknowable unknowable) {
        this.scene = scene;
        this.unknowable = unknowable;
    }

    void add(Pod pod) {
        Duration ttl = pod.annotations().get(Words.TTL).flatMap(Lifetime::parse).orElse(Scene.USUAL);
        until.putIfAbsent(pod.uid().value(), scene.clock.instant().plus(ttl));
        endOf.putIfAbsent(pod.uid().value(), scene.clock.instant().plus(ttl));
    }

    /** Nothing says that the place was left, or that it is not taken. */
    void forget(String uid) {
        until.remove(uid);
    }

    /**
     * Called after each step.
     *
     * @param mayEnd whether places on the node may end before their time
     */
    void look(Predicate<String> mayEnd) {
        scene.events.forEach(event -> read(event, mayEnd));
        scene.events.clear();
        scene.reservations().stream()
                .filter(name -> !HandWritten.isOne(name))
                .map(name -> scene.reservation(name).map(Placeholder::podUid).orElse(""))
                .filter(uid -> scene.clock.instant().isBefore(until.getOrDefault(uid, Instant.MIN)))
                .forEach(written::add);
        until.forEach((uid, end) -> {
            boolean kept = scene.keepsPlaceOf(new PodUid(uid));
            if (over.contains(uid)) {
                assertThat(kept && !unknowable.isDoubtful(new PodUid(uid)))
                        .as("the place of %s is kept once more", uid)
                        .isFalse();
            } else if (!kept && written.contains(uid) && !end.isAfter(scene.clock.instant())) {
                over.add(uid);
            }
        });
    }

    private void read(String event, Predicate<String> mayEnd) {
        if (HandWritten.isAbout(event)) {
            return;
        }
        boolean ends = event.contains(GIVEN_AWAY)
                || event.contains(NO_ROOM)
                || event.contains(TAKEN_BACK)
                || event.contains(NOT_ADMITTED);
        if (ends) {
            String node =
                    event.contains(NOT_ADMITTED) ? SharedHold.NODE : event.replaceAll(".* on node (\\S+) .*", "$1");
            Predicate<String> meant =
                    uid -> unknowable.nodeOf(uid).equals(node) && event.contains("/" + unknowable.nameOf(uid));
            boolean late = endOf.entrySet().stream()
                    .filter(it -> !over.contains(it.getKey()) && !it.getValue().isAfter(scene.clock.instant()))
                    .anyMatch(it -> meant.test(it.getKey()) || isKeptAgain(it.getKey(), node));
            assertThat(late || mayEnd.test(node)).as(event).isTrue();
            until.keySet().removeIf(meant);
        }
    }

    /** A place that was over and not written may be kept once more, and others on the node lack room then. */
    private boolean isKeptAgain(String uid, String node) {
        return unknowable.nodeOf(uid).equals(node) && scene.keepsPlaceOf(new PodUid(uid));
    }

    /** The pods whose places must be kept or taken now. */
    Set<String> owed() {
        Set<String> owed = new HashSet<>();
        until.forEach((uid, end) -> {
            if (end.isAfter(scene.clock.instant())) {
                owed.add(uid);
            }
        });
        return owed;
    }
}
