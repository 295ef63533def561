package dev.berth.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.kubernetes.time.GoDuration;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.sandbox.unstructured.NestedFields;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;

/**
 * A Reservation expires when the API server's clock reaches its deadline, independent of the clock of Berth's machine.
 */
final class ReservationExpiryChecks {
    /** What Berth promises: a date has whole seconds, and an answer may be slow. */
    private static final Duration TOLERANCE = Duration.ofSeconds(2);

    private static final Duration LAST_TTL = Duration.ofSeconds(40);

    private final Simulation cluster;
    private final long seed;
    /** The UIDs of Reservations whose end was looked at. */
    private final Set<String> ended = new HashSet<>();

    ReservationExpiryChecks(Simulation cluster, long seed) {
        this.cluster = cluster;
        this.seed = seed;
    }

    /** No Reservation has expired before its deadline. */
    void assertNoneExpiredEarly() {
        for (ObjectNode reservation : cluster.client().list(RandomOperations.RESERVATIONS, ListScope.ALL)) {
            if (hasExpired(reservation) && ended.add(WatchedKind.uid(reservation))) {
                assertThat(cluster.clock().instant())
                        .as("seed %d: Reservation %s expired", seed, SimulationTest.name(reservation))
                        .isAfterOrEqualTo(deadline(reservation).minus(TOLERANCE));
            }
        }
    }

    /** Where nothing fails, a Reservation expires neither before nor after its deadline. */
    void assertNewReservationExpiresOnTime() {
        ObjectNode last = cluster.client()
                .create(RandomOperations.RESERVATIONS, JsonText.parse("""
                {"apiVersion":"scheduling.koordinator.sh/v1alpha1","kind":"Reservation","metadata":{"name":"last"},
                 "spec":{"ttl":"%ds","owners":[{"labelSelector":{"matchLabels":{"app":"web"}}}],
                  "template":{"spec":{"schedulerName":"berth-scheduler",
                   "containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}}}}
                """.formatted(LAST_TTL.toSeconds())));
        advanceTo(deadline(last).minus(TOLERANCE));
        assertThat(hasExpired(current(last)))
                .as("seed %d: a Reservation expired before its deadline", seed)
                .isFalse();
        advanceTo(deadline(last).plus(TOLERANCE));
        assertThat(hasExpired(current(last)))
                .as("seed %d: a Reservation expired at its deadline", seed)
                .isTrue();
    }

    private void advanceTo(Instant when) {
        cluster.advance(Duration.between(cluster.clock().instant(), when));
    }

    private ObjectNode current(ObjectNode reservation) {
        return cluster.client()
                .find(RandomOperations.RESERVATIONS.clusterObject(SimulationTest.name(reservation)))
                .orElseThrow();
    }

    private static Instant deadline(ObjectNode reservation) {
        return Instant.parse(NestedFields.text(reservation, "metadata", "creationTimestamp"))
                .plus(GoDuration.parse(NestedFields.text(reservation, "spec", "ttl")));
    }

    /** A Reservation expires also when its node is gone. */
    private static boolean hasExpired(ObjectNode reservation) {
        for (JsonNode condition : reservation.path("status").path("conditions")) {
            if (condition.path("reason").asText().equals("Expired")
                    && !condition.path("message").asText().contains("was deleted")) {
                return true;
            }
        }
        return false;
    }
}
