package dev.berth.core.door.globalreserve;

import static dev.berth.core.door.globalreserve.GlobalReserveScene.assignment;
import static dev.berth.core.door.globalreserve.GlobalReserveScene.groupBy;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import org.junit.jupiter.api.Test;

/** Callers write the UIDs of pods and their own names as they like. */
class ReservedPlaceHoldIdTest {
    @Test
    void slashesInPodUidsAndSchedulerNamesDoNotMakeTwoPlacesShareOneHold() {
        GlobalReserveScene berth = new GlobalReserveScene();
        berth.upsert(aNode("n1").with("2 cpu", "10 pods").build());
        berth.upsert(aNode("n2").with("2 cpu", "10 pods").build());
        Pod theirs = aPod("theirs").uid("u").asking("1 cpu").build();
        Pod mine = aPod("mine").uid("u/n1").asking("1 cpu").build();

        assertThat(berth.reserve(groupBy("n2/s", assignment(theirs, "n1")))).isEqualTo(ReserveResponse.SUCCESS);
        assertThat(berth.reserve(groupBy("s", assignment(mine, "n2")))).isEqualTo(ReserveResponse.SUCCESS);

        assertThat(berth.free("n1")).isEqualTo(amounts("1 cpu", "9 pods"));
        assertThat(berth.free("n2")).isEqualTo(amounts("1 cpu", "9 pods"));
        assertThat(berth.unreserve(groupBy("s", assignment(mine, "n2")))).isEqualTo(ReserveResponse.SUCCESS);
        assertThat(berth.free("n1")).isEqualTo(amounts("1 cpu", "9 pods"));
    }
}
