package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.PodBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Reservation is told of owners that another scheduler bound without it. */
class OwnersOfOtherSchedulersTest {
    private static final String REASON = "OwnerSchedulerNotServed";

    private final KoordinatorScene cluster = new KoordinatorScene();

    @BeforeEach
    void createReservationOnOneOfTwoNodes() {
        cluster.upsert(aNode("n1").with("8 cpu", "100 pods"))
                .createReservation(aReservation("r").requesting("4 cpu").shared())
                .upsert(aNode("n2").with("8 cpu", "100 pods"));
        assertThat(cluster.status("r").nodeName()).isEqualTo("n1");
    }

    private static PodBuilder owner(String name) {
        return aPod(name).labelled("app", "web").asking("100m cpu");
    }

    private List<String> said() {
        return cluster.events.stream().filter(event -> event.startsWith(REASON)).toList();
    }

    @Test
    void anOwnerThatAnotherSchedulerBindsIsReportedOnTheReservationOnce() {
        cluster.upsertPodOfOtherScheduler(owner("web"))
                .upsertPodOfOtherScheduler(owner("web").on("n2"));
        assertThat(said())
                .containsExactly(REASON
                        + ": Pod default/web matches spec.owners, but scheduler default-scheduler bound it, so it does not"
                        + " use this Reservation. Set its spec.schedulerName to koord-scheduler.");
        assertThat(cluster.eventTargetsOf(REASON)).containsExactly("Reservation r");

        cluster.relabel("web", "app", "web").annotate("web", "touched", "yes").restart();
        assertThat(said()).as("it is no news after a restart").hasSize(1);
    }

    @Test
    void anOwnerOnTheNodeOfTheReservationIsReportedThoughThereIsCapacity() {
        cluster.upsertPodOfOtherScheduler(owner("web").on("n1"));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
        assertThat(said()).hasSize(1);
    }

    @Test
    void podsThatBerthBindsAndPodsThatAreNotOwnersAreNotReported() {
        cluster.upsert(owner("web"))
                .upsertPodOfOtherScheduler(aPod("stranger").asking("1 cpu").on("n1"))
                .upsertPodOfOtherScheduler(owner("waiting"));
        assertThat(said()).isEmpty();
    }

    @Test
    void eventsAboutManyOwnersAreLimitedAndTheLastEventNamesTheLimit() {
        for (int i = 0; i < 20; i++) {
            cluster.upsertPodOfOtherScheduler(owner("web-" + i).on("n2"));
        }
        assertThat(said()).hasSize(5);
        assertThat(said().get(3)).doesNotContain("no more such pods");
        assertThat(said().get(4)).endsWith("Berth reports no more such pods of this Reservation until it restarts.");
    }

    @Test
    void ownersThatAreBoundTogetherAreReportedInOneEvent() {
        cluster.upsertPodsOfOtherScheduler(
                List.of(owner("a").on("n1"), owner("b").on("n1")));
        assertThat(said())
                .containsExactly(REASON
                        + ": Pods default/a, default/b match spec.owners, but scheduler default-scheduler bound them, so they"
                        + " do not use this Reservation. Set their spec.schedulerName to koord-scheduler.");
    }

    @Test
    void anEventNamesThreeOfManyOwnersThatAreBoundTogether() {
        cluster.upsertPodsOfOtherScheduler(Stream.of("a", "b", "c", "d", "e")
                .map(name -> owner(name).on("n1").with(pod -> pod.schedulerName("of-" + name)))
                .toList());
        assertThat(said())
                .containsExactly(REASON
                        + ": Pods default/a, default/b, default/c and 2 more match spec.owners, but schedulers of-a, of-b,"
                        + " of-c and 2 more bound them, so they do not use this Reservation. Set their"
                        + " spec.schedulerName to koord-scheduler.");
    }

    @Test
    void theEventAdvisesToSetTheSchedulerNameOfTheReservation() {
        cluster.restartServing(KoordinatorScene.SCHEDULER, "another")
                .upsertPodOfOtherScheduler(owner("web").on("n1"));
        assertThat(said()).singleElement().asString().endsWith("Set its spec.schedulerName to koord-scheduler.");
    }

    @Test
    void anOvercommitmentNamesAllOwnersThatAnotherSchedulerBound() {
        for (String name : List.of("a", "b", "c", "d")) {
            cluster.upsertPodOfOtherScheduler(
                    aPod(name).labelled("app", "web").asking("2 cpu").on("n1"));
        }
        assertThat(cluster.status("r")
                        .findCondition(ReservationCondition.Type.READY)
                        .orElseThrow()
                        .message())
                .endsWith(
                        "; pods default/a, default/b, default/c and 1 more match the owners of Reservation r, but scheduler"
                                + " default-scheduler bound them without the hold: set spec.schedulerName of the owners to"
                                + " koord-scheduler");
    }
}
