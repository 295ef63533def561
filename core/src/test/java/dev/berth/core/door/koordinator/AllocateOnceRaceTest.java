package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.ReservationAffinity;
import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two owners that must use an allocateOnce Reservation come at the same moment. Koordinator binds both if only this
 * Reservation matches them, as long as its status does not say Succeeded.
 */
class AllocateOnceRaceTest {
    private final KoordinatorScene scene = new KoordinatorScene();

    private static PodBuilder owner(String name, boolean byName) {
        ReservationAffinity affinity = byName ? ReservationAffinity.ofName("r") : ReservationAffinity.ANY;
        return aPod(name)
                .asking("2 cpu")
                .labelled("app", "web")
                .withSpec(spec -> spec.reservations(ReservationConstraints.ofAffinity(affinity)))
                .with(pod -> pod.schedulerName(KoordinatorScene.SCHEDULER));
    }

    private List<String> placed() {
        return scene.pods().stream()
                .filter(pod -> pod.nodeName().isPresent())
                .map(Pod::name)
                .toList();
    }

    @ParameterizedTest(name = "by name: {0}, status written late: {1}, restart: {2}")
    @CsvSource({
        "true, false, false",
        "false, false, false",
        "true, true, false",
        "false, true, false",
        "true, true, true",
        "false, true, true"
    })
    void exactlyOneOfTwoOwnersUsesTheReservation(boolean byName, boolean writtenLate, boolean restarted) {
        scene.upsert(aNode("n1").with("8 cpu", "20 pods"))
                .createReservation(aReservation("r").requesting("4 cpu"))
                .delayAnswers(writtenLate)
                .upsert(owner("first", byName), owner("second", byName));
        assertThat(placed()).hasSize(1);

        if (restarted) {
            scene.restart();
        }
        scene.advance(Duration.ofSeconds(30));
        assertThat(placed()).hasSize(1);

        scene.delayAnswers(false).advance(Duration.ofMinutes(1));
        assertThat(placed()).hasSize(1);
        assertThat(scene.status("r").phase()).isEqualTo(ReservationStatus.ReservationPhase.SUCCEEDED);
        assertThat(scene.status("r").currentOwners())
                .extracting(CurrentOwner::name)
                .containsExactlyElementsOf(placed());
        assertThat(scene.cpuFree("n1")).isEqualTo(6_000);
    }
}
