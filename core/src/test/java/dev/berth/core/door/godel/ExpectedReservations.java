package dev.berth.core.door.godel;

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
 * The deleted pods that requested a Reservation. They are held until their TTL expires, unless an event says why not,
 * with a valid reason. What expired is not held again.
 */
final class ExpectedReservations {
    private static final String REALLOCATED = "was allocated to other pods";
    private static final String INSUFFICIENT = "has insufficient capacity for it next to";
    private static final String RECLAIMED = "reclaimed its capacity";
    private static final String NOT_RECORDED = "has no record that it placed the pod";
    private static final String NOT_ADMITTED = "does not admit the pod's successor";

    private final GodelScene scene;
    private final UnrecordedHistory unrecordedHistory;
    /** The earliest end of the hold. The TTL of a hold that a restart finds begins with the restart. */
    private final Map<String, Instant> expiresAt = new HashMap<>();
    /** The same for all pods that were ever deleted: at the next start an event may report that such a hold ended. */
    private final Map<String, Instant> endOf = new HashMap<>();
    /** Pods whose Reservations were created in time. */
    private final Set<String> written = new HashSet<>();
    /** Those of them whose TTL expired, and which were not held then. */
    private final Set<String> ended = new HashSet<>();

    ExpectedReservations(GodelScene scene, UnrecordedHistory unrecordedHistory) {
        this.scene = scene;
        this.unrecordedHistory = unrecordedHistory;
    }

    void add(Pod pod) {
        Duration ttl = pod.annotations()
                .get(GodelAnnotations.TTL)
                .flatMap(TtlAnnotationParser::parse)
                .orElse(GodelScene.DEFAULT_TTL);
        expiresAt.putIfAbsent(pod.uid().value(), scene.clock.instant().plus(ttl));
        endOf.putIfAbsent(pod.uid().value(), scene.clock.instant().plus(ttl));
    }

    /** No object shows that the pod was deleted, or that its hold is unclaimed. */
    void remove(String uid) {
        expiresAt.remove(uid);
    }

    /**
     * Called after each step.
     *
     * @param mayEnd whether holds on the node may end before their TTL
     * @param hasForcedPods whether pods use the node without regard to holds. Then a pod that never was in the checkpoint
     *     may get no Reservation after a restart: nothing proves that it was not such a pod itself
     */
    void check(Predicate<String> mayEnd, Predicate<String> hasForcedPods) {
        scene.events.forEach(event -> checkEvent(event, mayEnd, hasForcedPods));
        scene.events.clear();
        scene.reservationNames().stream()
                .filter(name -> !TenantReservations.isTenantReservation(name))
                .map(name -> scene.findReservation(name)
                        .map(GodelReservation::originalPodUid)
                        .orElse(""))
                .filter(uid -> scene.clock.instant().isBefore(expiresAt.getOrDefault(uid, Instant.MIN)))
                .forEach(written::add);
        expiresAt.forEach((uid, end) -> {
            boolean kept = scene.hasHoldOf(new PodUid(uid));
            if (ended.contains(uid)) {
                assertThat(kept && !unrecordedHistory.mayBeHeldAgain(new PodUid(uid)))
                        .as("the hold of %s is held again", uid)
                        .isFalse();
            } else if (!kept && written.contains(uid) && !end.isAfter(scene.clock.instant())) {
                ended.add(uid);
            }
        });
    }

    private void checkEvent(String event, Predicate<String> mayEnd, Predicate<String> hasForcedPods) {
        if (TenantReservations.isAbout(event)) {
            return;
        }
        boolean ends = event.contains(REALLOCATED)
                || event.contains(INSUFFICIENT)
                || event.contains(NOT_RECORDED)
                || event.contains(RECLAIMED)
                || event.contains(NOT_ADMITTED);
        if (ends) {
            String node = event.contains(NOT_ADMITTED) ? SharedHold.NODE : event.replaceAll(".*\\bnode (\\S+).*", "$1");
            Predicate<String> meant = uid ->
                    unrecordedHistory.nodeOf(uid).equals(node) && event.contains("/" + unrecordedHistory.nameOf(uid));
            boolean late = endOf.entrySet().stream()
                    .filter(it -> !ended.contains(it.getKey()) && !it.getValue().isAfter(scene.clock.instant()))
                    .anyMatch(it -> meant.test(it.getKey()) || isHeldAgain(it.getKey(), node));
            boolean unproven = (event.contains(INSUFFICIENT) || event.contains(NOT_RECORDED))
                    && hasForcedPods.test(node)
                    && expiresAt.keySet().stream()
                            .filter(meant)
                            .anyMatch(uid -> !scene.checkpoint().everWritten().contains(new PodUid(uid)));
            boolean allowed = unproven || (!event.contains(NOT_RECORDED) && (late || mayEnd.test(node)));
            assertThat(allowed).as(event).isTrue();
            expiresAt.keySet().removeIf(meant);
        }
    }

    /** A hold that ended without a write may be held again, and other holds on the node lack capacity then. */
    private boolean isHeldAgain(String uid, String node) {
        return unrecordedHistory.nodeOf(uid).equals(node) && scene.hasHoldOf(new PodUid(uid));
    }

    /** The pods that must be held or claimed now. */
    Set<String> expectedPods() {
        Set<String> owed = new HashSet<>();
        expiresAt.forEach((uid, end) -> {
            if (end.isAfter(scene.clock.instant())) {
                owed.add(uid);
            }
        });
        return owed;
    }
}
