package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.RecordAnnotations;
import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.core.testing.Scenario;
import dev.berth.core.testing.SchedulerScene.ServerMode;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The setting cleanExpiredReservationAllocated. */
class AllocatedAnnotationCleanerTest {
    private static final String ALLOCATED = RecordAnnotations.KOORDINATOR_RESERVATION_ALLOCATED;
    private static final String OF_R = "{\"name\":\"r\",\"uid\":\"r\"}";

    private final KoordinatorScene cluster = new KoordinatorScene();
    private final Instant end = cluster.clock.instant().plusSeconds(600);

    private void anOwnerOfASharedReservation(boolean cleans) {
        cluster.withSettings(ReservationSettings.DEFAULT.withCleanedReservationAllocated(cleans))
                .upsert(aNode("n1").with("8 cpu", "20 pods"))
                .createReservation(
                        aReservation("r").requesting("4 cpu").shared().until(end))
                .upsert(aPod("owner").asking("1 cpu").labelled("app", "web"));
        assertThat(cluster.annotation("owner", ALLOCATED)).isEqualTo(OF_R);
    }

    @Test
    @Scenario(140)
    void theAnnotationIsRemovedFromTheOwnersOfADeletedReservation() {
        anOwnerOfASharedReservation(true);
        cluster.deleteReservation("r");
        assertThat(cluster.annotation("owner", ALLOCATED)).isEmpty();
        assertThat(cluster.nodeOf("owner")).isEqualTo("n1");
    }

    @Test
    @Scenario(140)
    void theAnnotationIsRemovedFromTheOwnersOfAnExpiredReservation() {
        anOwnerOfASharedReservation(true);
        cluster.setServerMode(ServerMode.DENYING).advance(Duration.ofMinutes(10));
        assertThat(cluster.annotation("owner", ALLOCATED)).isEqualTo(OF_R);
        cluster.setServerMode(ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));
        assertThat(cluster.annotation("owner", ALLOCATED)).isEmpty();
    }

    @Test
    @Scenario(140)
    void anAnnotationThatNamesAnotherReservationStays() {
        anOwnerOfASharedReservation(true);
        String other = "{\"name\":\"r\",\"uid\":\"r-2\"}";
        cluster.annotate("owner", ALLOCATED, other).deleteReservation("r");
        assertThat(cluster.annotation("owner", ALLOCATED)).isEqualTo(other);
    }

    @Test
    void aRestartedBerthRemovesTheAnnotationOfAFailedReservation() {
        anOwnerOfASharedReservation(false);
        cluster.advance(Duration.ofMinutes(10));
        assertThat(cluster.annotation("owner", ALLOCATED)).as("off by default").isEqualTo(OF_R);
        cluster.withSettings(ReservationSettings.DEFAULT.withCleanedReservationAllocated(true))
                .restart();
        assertThat(cluster.annotation("owner", ALLOCATED)).isEmpty();
    }
}
