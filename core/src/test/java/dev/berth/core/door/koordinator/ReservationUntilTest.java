package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The status tells users until when a reservation holds its capacity, if the CRD has a field for it. */
class ReservationUntilTest {
    private final KoordinatorScene cluster = new KoordinatorScene();
    private final Instant start = cluster.clock.instant();

    @BeforeEach
    void aClusterWithOneNode() {
        cluster.upsert(aNode("n1").with("8 cpu"));
    }

    @Test
    void theEndFollowsTheSpecAndAnEditedEndIsWrittenOnce() {
        cluster.createReservation(aReservation("r").requesting("2 cpu").until(start.plusSeconds(600)));
        assertThat(until()).isEqualTo(start.plusSeconds(600).toString());
        int writes = cluster.writes;
        cluster.edit(aReservation("r").requesting("2 cpu").until(start.plusSeconds(1200)));
        assertThat(until()).isEqualTo(start.plusSeconds(1200).toString());
        cluster.advance(Duration.ofMinutes(1));
        assertThat(cluster.writes).isEqualTo(writes + 1);
    }

    @Test
    void aReservationThatNeverExpiresSaysSo() {
        cluster.createReservation(aReservation("r").requesting("2 cpu"));
        assertThat(until()).isEqualTo("never");
    }

    @Test
    void theEndOfAReservationThatEndedIsWhenItEnded() {
        cluster.createReservation(aReservation("r").requesting("2 cpu").until(start.plusSeconds(600)))
                .advance(Duration.ofSeconds(60))
                .upsert(aPod("web").labelled("app", "web").asking("1 cpu"));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationStatus.ReservationPhase.SUCCEEDED);
        assertThat(until()).isEqualTo(start.plusSeconds(60).toString());
    }

    @Test
    void theEndIsUnknownWhileTheSpecIsMalformedAfterARestart() {
        cluster.createReservation(aReservation("r").requesting("2 cpu").until(start.plusSeconds(600)))
                .editSpec("r", Optional.empty(), "spec.ttl (1x) is malformed");
        assertThat(until()).isEqualTo(start.plusSeconds(600).toString());
        cluster.restart();
        assertThat(until()).isEqualTo("unknown");
    }

    @Test
    void withTheCrdOfKoordinatorNoWriteIsRepeated() {
        cluster.withCrdOfKoordinator()
                .createReservation(aReservation("r").requesting("2 cpu").until(start.plusSeconds(600)))
                .edit(aReservation("r").requesting("2 cpu").until(start.plusSeconds(1200)))
                .advance(Duration.ofMinutes(1))
                .restart();
        assertThat(until()).isEmpty();
        assertThat(cluster.writes).isEqualTo(1);
    }

    @Test
    void theStatusOfAnotherSchedulerIsNotWrittenForTheEnd() {
        cluster.createReservation(aReservation("r").requesting("2 cpu").until(start.plusSeconds(600)));
        int writes = cluster.writes;
        cluster.restartServing("other")
                .edit(aReservation("r").requesting("2 cpu").until(start.plusSeconds(1200)))
                .advance(Duration.ofSeconds(30));
        assertThat(cluster.writes).isEqualTo(writes);
    }

    private String until() {
        return cluster.getReservation("r").shownUntil();
    }
}
