package dev.berth.core.door.reserve;

import static dev.berth.core.door.reserve.ReserveDesk.groupBy;
import static dev.berth.core.door.reserve.ReserveDesk.seat;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import org.junit.jupiter.api.Test;

/** Callers write the UIDs of pods and their own names as they like. */
class PlaceNamesTest {
    @Test
    void slashesInTheUidOfAPodOrInTheNameOfASchedulerDoNotMakeTwoPlacesOne() {
        ReserveDesk berth = new ReserveDesk();
        berth.add(aNode("n1").with("2 cpu", "10 pods").build());
        berth.add(aNode("n2").with("2 cpu", "10 pods").build());
        Pod theirs = aPod("theirs").uid("u").asking("1 cpu").build();
        Pod mine = aPod("mine").uid("u/n1").asking("1 cpu").build();

        assertThat(berth.reserve(groupBy("n2/s", seat(theirs, "n1")))).isEqualTo(ReserveAnswer.DONE);
        assertThat(berth.reserve(groupBy("s", seat(mine, "n2")))).isEqualTo(ReserveAnswer.DONE);

        assertThat(berth.free("n1")).isEqualTo(amounts("1 cpu", "9 pods"));
        assertThat(berth.free("n2")).isEqualTo(amounts("1 cpu", "9 pods"));
        assertThat(berth.unreserve(groupBy("s", seat(mine, "n2")))).isEqualTo(ReserveAnswer.DONE);
        assertThat(berth.free("n1")).isEqualTo(amounts("1 cpu", "9 pods"));
    }
}
