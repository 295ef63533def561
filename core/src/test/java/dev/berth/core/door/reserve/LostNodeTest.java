package dev.berth.core.door.reserve;

import static dev.berth.core.door.reserve.ReserveDesk.seat;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Hold whose node is deleted says which pods lost their places. */
class LostNodeTest {
    private static final Node N1 = aNode("n1").with("8 cpu", "10 pods").build();
    private static final Node N2 = aNode("n2").with("8 cpu", "10 pods").build();

    private final ReserveDesk berth = new ReserveDesk();

    @BeforeEach
    void aGroupOnTwoNodes() {
        berth.add(N1);
        berth.add(N2);
        berth.reserve(seat(pod("a"), "n1"), seat(pod("b"), "n1"), seat(pod("c"), "n2"));
        assertThat(berth.events).isEmpty();
    }

    private static Pod pod(String name) {
        return aPod(name).asking("1 cpu").build();
    }

    private String hold() {
        return "Hold " + berth.objects.keySet().iterator().next();
    }

    @Test
    void oneEventNamesTheNodeThatIsGoneAndThePodsThatLostTheirPlaces() {
        String hold = hold();

        berth.remove(N1);
        berth.goOn();

        assertThat(berth.kept()).containsExactly("c on n2");
        assertThat(berth.events)
                .as("the scheduler that reserved would find one place less, and nothing says why")
                .containsExactly(hold + ": Node n1 is gone, and pods default/a, default/b lost their places there."
                        + " Reserve places for them again.");
    }

    @Test
    void theEventComesAfterARestartIfTheNodeWasDeletedWhileNoBerthRan() {
        String hold = hold();
        berth.forget(N1);

        berth.restart(true);

        assertThat(berth.events)
                .containsExactly(hold + ": Node n1 is gone, and pods default/a, default/b lost their places there."
                        + " Reserve places for them again.");
        berth.restart(false);
        assertThat(berth.events).hasSize(1);
    }

    @Test
    void aNodeThatIsDeletedAfterItsPlacesWereUsedIsNoNews() {
        berth.add(aPod("a").asking("1 cpu").on("n1").build());
        berth.add(aPod("b").asking("1 cpu").on("n1").build());
        berth.goOn();

        berth.remove(N1);
        berth.goOn();

        assertThat(berth.events).isEmpty();
    }
}
