package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.settings.GarbageCollectionSettings;
import dev.berth.core.door.koordinator.settings.ReservationSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ConfiguredGarbageCollectionTest {
    @Test
    void aFinishedReservationIsDeletedAfterTheConfiguredTime() {
        KoordinatorScene cluster = withUsedReservation(new GarbageCollectionSettings(true, Duration.ofMinutes(10)));
        cluster.advance(Duration.ofMinutes(9));
        assertThat(cluster.exists("r")).isTrue();
        cluster.advance(Duration.ofMinutes(1));
        assertThat(cluster.exists("r")).isFalse();
    }

    @Test
    void withoutGarbageCollectionAFinishedReservationStays() {
        KoordinatorScene cluster = withUsedReservation(new GarbageCollectionSettings(false, Duration.ofMinutes(10)));
        cluster.advance(Duration.ofDays(30));
        assertThat(cluster.exists("r")).isTrue();
    }

    private static KoordinatorScene withUsedReservation(GarbageCollectionSettings settings) {
        return new KoordinatorScene()
                .withSettings(ReservationSettings.DEFAULT.withGarbageCollection(settings))
                .upsert(aNode("n1").with("8 cpu"))
                .createReservation(aReservation("r").requesting("6 cpu"))
                .upsert(aPod("web").labelled("app", "web").asking("4 cpu"));
    }
}
