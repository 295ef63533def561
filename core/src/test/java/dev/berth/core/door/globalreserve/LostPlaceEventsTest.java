package dev.berth.core.door.globalreserve;

import static dev.berth.core.door.globalreserve.GlobalReserveScene.assignment;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Hold whose node is deleted says which pods lost their places. */
class LostPlaceEventsTest {
    private static final Node N1 = aNode("n1").with("8 cpu", "10 pods").build();
    private static final Node N2 = aNode("n2").with("8 cpu", "10 pods").build();

    private final GlobalReserveScene berth = new GlobalReserveScene();

    @BeforeEach
    void aGroupOnTwoNodes() {
        berth.upsert(N1);
        berth.upsert(N2);
        berth.reserve(assignment(pod("a"), "n1"), assignment(pod("b"), "n1"), assignment(pod("c"), "n2"));
        assertThat(berth.events).isEmpty();
    }

    private static Pod pod(String name) {
        return aPod(name).asking("1 cpu").build();
    }

    private String hold() {
        return "StoredHold " + berth.objects.keySet().iterator().next();
    }

    @Test
    void oneEventNamesTheNodeThatIsGoneAndThePodsThatLostTheirPlaces() {
        String hold = hold();

        berth.delete(N1);
        berth.completeAll();

        assertThat(berth.heldPlaces()).containsExactly("c on n2");
        assertThat(berth.events)
                .as("the scheduler that reserved would find one place less, and nothing says why")
                .containsExactly(hold + ": Node n1 was deleted, and pods default/a, default/b lost their places there."
                        + " Reserve places for them again.");
    }

    @Test
    void theEventComesAfterARestartIfTheNodeWasDeletedWhileNoBerthRan() {
        String hold = hold();
        berth.deleteNodeUnseen("n1");

        berth.restart(true);

        assertThat(berth.events)
                .containsExactly(hold + ": Node n1 was deleted, and pods default/a, default/b lost their places there."
                        + " Reserve places for them again.");
        berth.restart(false);
        assertThat(berth.events).hasSize(1);
    }

    @Test
    void aNodeThatIsDeletedAfterItsPlacesWereUsedIsNotReported() {
        berth.upsert(aPod("a").asking("1 cpu").on("n1").build());
        berth.upsert(aPod("b").asking("1 cpu").on("n1").build());
        berth.completeAll();

        berth.delete(N1);
        berth.completeAll();

        assertThat(berth.events).isEmpty();
    }
}
