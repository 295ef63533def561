package dev.berth.core.door.koordinator.scenario;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.CurrentOwner;
import dev.berth.core.door.koordinator.KoordinatorScene;
import dev.berth.core.door.koordinator.ReservationBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.Scenario;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The host ports of a Reservation are kept for its owners, each for one of them. */
class HostPortScenariosTest {
    private static final int FIRST_PORT = 54_321;
    private static final int SECOND_PORT = 54_322;

    private final KoordinatorScene cluster = new KoordinatorScene();

    @BeforeEach
    void aClusterWithOneNode() {
        cluster.upsert(aNode("n1").with("8 cpu"));
    }

    @ParameterizedTest(name = "shared: {0}")
    @Scenario({101, 102})
    @ValueSource(booleans = {true, false})
    void theFirstOwnerGetsThePortAndTheSecondStaysPending(boolean shared) {
        cluster.createReservation(reservation(shared).requestingHostPort(FIRST_PORT))
                .upsert(web("first").withHostPort(FIRST_PORT))
                .upsert(web("second").withHostPort(FIRST_PORT));
        assertThat(cluster.nodeOf("first")).isEqualTo("n1");
        assertThat(cluster.nodeOf("second")).isEmpty();
        assertThat(cluster.status("r").currentOwners())
                .extracting(CurrentOwner::name)
                .containsExactly("first");
    }

    @ParameterizedTest(name = "shared: {0}")
    @ValueSource(booleans = {true, false})
    void anOwnerThatRequestsOnlyAPortUsesAReservationOfOnlyThatPort(boolean shared) {
        ReservationBuilder reservation = aReservation("r").requesting().requestingHostPort(FIRST_PORT);
        cluster.createReservation(shared ? reservation.shared() : reservation)
                .upsert(aPod("first").labelled("app", "web").withHostPort(FIRST_PORT))
                .upsert(aPod("second").labelled("app", "web").withHostPort(FIRST_PORT));
        assertThat(cluster.nodeOf("first")).isEqualTo("n1");
        assertThat(cluster.nodeOf("second")).isEmpty();
        assertThat(cluster.status("r").currentOwners())
                .extracting(CurrentOwner::name)
                .containsExactly("first");
    }

    @Test
    @Scenario(103)
    void anOwnerThatNeedsAPortOfAnotherOwnerRunsElsewhereWithoutTheReservation() {
        cluster.createReservation(
                        reservation(true).requestingHostPort(FIRST_PORT).requestingHostPort(SECOND_PORT))
                .upsert(aNode("n2").with("8 cpu"))
                .upsert(web("a").withHostPort(FIRST_PORT))
                .upsert(web("b").withHostPort(FIRST_PORT).withHostPort(SECOND_PORT));
        assertThat(cluster.nodeOf("a")).isEqualTo("n1");
        assertThat(cluster.nodeOf("b")).isEqualTo("n2");
        assertThat(cluster.status("r").currentOwners())
                .extracting(CurrentOwner::name)
                .containsExactly("a");
    }

    @Test
    @Scenario(104)
    void aPodThatIsNotAnOwnerDoesNotGetThePort() {
        cluster.createReservation(reservation(true).requestingHostPort(FIRST_PORT))
                .upsert(aPod("other").asking("1 cpu").withHostPort(FIRST_PORT));
        assertThat(cluster.nodeOf("other")).isEmpty();
        assertThat(cluster.unschedulableMessages.get("other")).contains("didn't have free ports");
    }

    @Test
    @Scenario(105)
    void thePortOfAnOwnerStaysOccupiedWhenTheReservationIsDeleted() {
        cluster.createReservation(reservation(true).requestingHostPort(FIRST_PORT))
                .upsert(web("owner").withHostPort(FIRST_PORT))
                .deleteReservation("r")
                .upsert(aPod("other").asking("1 cpu").withHostPort(FIRST_PORT));
        assertThat(cluster.nodeOf("other")).isEmpty();
    }

    private static ReservationBuilder reservation(boolean shared) {
        ReservationBuilder reservation = aReservation("r").requesting("2 cpu");
        return shared ? reservation.shared() : reservation;
    }

    private static PodBuilder web(String name) {
        return aPod(name).asking("1 cpu").labelled("app", "web");
    }
}
