package dev.berth.core.door.koordinator.scenario;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.KoordinatorScene;
import dev.berth.core.door.koordinator.ReservationBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.Scenario;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Which Reservation a pod takes, if several fit. */
class SelectionScenariosTest {
    private static final String ORDER = "scheduling.koordinator.sh/reservation-order";

    private final KoordinatorScene cluster = new KoordinatorScene();

    @Test
    @Scenario(52)
    void aPodTakesTheReservationThatItFillsBest() {
        cluster.upsert(aNode("n1").with("16 cpu", "64Gi memory"));
        cluster.createReservation(aReservation("large").requesting("4 cpu", "8Gi memory"));
        cluster.createReservation(aReservation("small").requesting("2 cpu", "4Gi memory"));
        cluster.upsert(web("p").asking("2 cpu", "4Gi memory"));
        assertThat(allocated("p")).contains("\"name\":\"small\"");
    }

    @Test
    @Scenario(53)
    void aUsedReservationIsNotTakenAgain() {
        cluster.upsert(aNode("n1").with("16 cpu", "64Gi memory"));
        cluster.createReservation(aReservation("large").requesting("4 cpu", "8Gi memory"));
        cluster.createReservation(
                aReservation("small").requesting("2 cpu", "4Gi memory").shared());
        cluster.upsert(web("first").asking("2 cpu", "4Gi memory"));
        cluster.upsert(web("second").asking("2 cpu", "4Gi memory"));
        assertThat(allocated("first")).contains("\"name\":\"small\"");
        assertThat(allocated("second")).contains("\"name\":\"large\"");
    }

    @Test
    @Scenario({54, 58})
    void anOrderedReservationIsTakenBeforeOneThatThePodFillsBetter() {
        cluster.upsert(aNode("n1").with("32 cpu"));
        cluster.createReservation(aReservation("a").requesting("2 cpu"));
        cluster.createReservation(aReservation("ordered").requesting("8 cpu").labelled(ORDER, "100"));
        cluster.upsert(web("p").asking("2 cpu"));
        assertThat(allocated("p")).contains("\"name\":\"ordered\"");
    }

    @Test
    void theSmallestOrderIsTakenFirstAndInvalidOrdersCountAsNone() {
        cluster.upsert(aNode("n1").with("32 cpu"));
        cluster.createReservation(aReservation("a").requesting("2 cpu").labelled(ORDER, "0"));
        cluster.createReservation(aReservation("b").requesting("2 cpu").labelled(ORDER, "first"));
        cluster.createReservation(aReservation("c").requesting("2 cpu").labelled(ORDER, "9223372036854775806"));
        cluster.createReservation(aReservation("d").requesting("2 cpu").labelled(ORDER, "-5"));
        for (String pod : new String[] {"p1", "p2", "p3", "p4"}) {
            cluster.upsert(web(pod).asking("2 cpu"));
        }
        assertThat(allocated("p1")).contains("\"name\":\"d\"");
        assertThat(allocated("p2")).contains("\"name\":\"c\"");
        assertThat(allocated("p3")).contains("\"name\":\"a\"");
        assertThat(allocated("p4")).contains("\"name\":\"b\"");
    }

    @Test
    @Scenario(55)
    void theNodeWithTheSmallestOrderWinsOverAllNodes() {
        for (int i = 1; i <= 6; i++) {
            String node = "node-" + i;
            cluster.upsert(aNode(node).with("16 cpu"));
            ReservationBuilder reservation = aReservation("r-" + i)
                    .requesting(i == 4 ? "8 cpu" : "2 cpu")
                    .onNode(node);
            cluster.createReservation(i == 4 ? reservation.labelled(ORDER, "7") : reservation);
        }
        cluster.upsert(web("p").asking("2 cpu"));
        assertThat(cluster.nodeOf("p")).isEqualTo("node-4");
        assertThat(allocated("p")).contains("\"name\":\"r-4\"");
    }

    @Test
    void anOrderedReservationWithoutRoomDoesNotKeepThePodFromOthers() {
        cluster.upsert(aNode("n1").with("16 cpu"));
        cluster.createReservation(
                aReservation("ordered").requesting("1 cpu").restricted().labelled(ORDER, "1"));
        cluster.createReservation(aReservation("a").requesting("2 cpu"));
        cluster.upsert(web("p").asking("2 cpu"));
        assertThat(allocated("p")).contains("\"name\":\"a\"");
    }

    @Test
    void ofEqualReservationsTheOlderIsTaken() {
        cluster.upsert(aNode("n1").with("16 cpu"));
        cluster.createReservation(aReservation("a").requesting("2 cpu").createdAt(Instant.EPOCH.plusSeconds(60)));
        cluster.createReservation(aReservation("b").requesting("2 cpu").createdAt(Instant.EPOCH));
        cluster.upsert(web("p").asking("2 cpu"));
        assertThat(allocated("p")).contains("\"name\":\"b\"");
    }

    @Test
    @Scenario({56, 57})
    void aReservationThatThePodCannotFillCountsLeast() {
        cluster.upsert(aNode("n1").with("32 cpu", "64Gi memory"));
        cluster.createReservation(
                aReservation("overflowing").requesting("2 cpu").shared());
        cluster.createReservation(aReservation("fitting").requesting("16 cpu").shared());
        cluster.upsert(web("p").asking("3 cpu"));
        assertThat(allocated("p")).contains("\"name\":\"fitting\"");
        cluster.upsert(web("nothing"));
        assertThat(allocated("nothing"))
                .as("without requests all scores are those of what is used already")
                .contains("\"name\":\"fitting\"");
    }

    @Test
    @Scenario(59)
    void thePodTakesTheReservationOfTheOnlyFeasibleNode() {
        cluster.upsert(aNode("n1").with("4 cpu"));
        cluster.upsert(aNode("n2").with("1 cpu"));
        cluster.createReservation(aReservation("r").requesting("3 cpu").onNode("n1"));
        cluster.upsert(web("p").asking("3 cpu"));
        assertThat(cluster.nodeOf("p")).isEqualTo("n1");
        assertThat(allocated("p")).contains("\"name\":\"r\"");
    }

    private static PodBuilder web(String name) {
        return aPod(name).labelled("app", "web");
    }

    private String allocated(String pod) {
        return cluster.annotation(pod, "scheduling.koordinator.sh/reservation-allocated");
    }
}
