package dev.berth.core.door.reserve;

import static dev.berth.core.door.reserve.ReserveDesk.seat;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.reserve.ReserveRequest.Seat;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What a group costs grows with its pods, not with their square. */
class LargeGroupsTest {
    private static final int PODS_PER_NODE = 100;
    private static final int FEW = 200;
    private static final int ROUNDS = 3;

    private static List<Seat> seats(int pods) {
        List<Seat> seats = new ArrayList<>();
        for (int i = 0; i < pods; i++) {
            seats.add(seat(aPod("p" + i).asking("10m cpu", "10 memory").build(), "n" + i / PODS_PER_NODE));
        }
        return seats;
    }

    /** The time of a whole life: reserve, written, reserved once more, a tenth bound, the rest given back. */
    private static long life(int pods) {
        ReserveDesk berth = new ReserveDesk(ReserveSettings.DEFAULT.withMostPods(pods));
        for (int i = 0; i <= pods / PODS_PER_NODE; i++) {
            berth.add(
                    aNode("n" + i).with("64 cpu", "1000000 memory", "300 pods").build());
        }
        Seat[] all = seats(pods).toArray(new Seat[0]);
        long begun = System.nanoTime();
        assertThat(berth.reserve(all)).isEqualTo(ReserveAnswer.DONE);
        assertThat(berth.reserve(all)).isEqualTo(ReserveAnswer.DONE);
        for (int i = 0; i < pods; i += 10) {
            berth.add(all[i].pod().on(all[i].node()));
        }
        berth.goOn();
        assertThat(berth.unreserve(all)).isEqualTo(ReserveAnswer.DONE);
        long took = System.nanoTime() - begun;
        assertThat(berth.kept()).isEmpty();
        return took;
    }

    private static long quickest(int pods) {
        return LongStream.range(0, ROUNDS).map(round -> life(pods)).min().orElseThrow();
    }

    @Test
    void aGroupOfTenTimesThePodsCostsAboutTenTimesAsMuch() {
        life(FEW);

        assertThat(quickest(10 * FEW) / (double) quickest(FEW))
                .as("ten by the number of pods, a hundred by its square")
                .isLessThan(30);
    }
}
