package dev.berth.core.door.reserve;

import static dev.berth.core.door.reserve.ReserveDesk.seat;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.door.reserve.ReserveRequest.Seat;
import dev.berth.core.hold.Hold;
import dev.berth.core.testing.Allocation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a group costs grows with its pods, not with their square, and what need not be done at once is done in parts. */
class LargeGroupsTest {
    private static final int PODS_PER_NODE = 100;
    private static final int FEW = 200;

    private static List<Seat> seats(int pods) {
        List<Seat> seats = new ArrayList<>();
        for (int i = 0; i < pods; i++) {
            seats.add(seat(aPod("p" + i).asking("10m cpu", "10 memory").build(), "n" + i / PODS_PER_NODE));
        }
        return seats;
    }

    /** The cost of a whole life: reserve, written, reserved once more, a tenth bound, the rest given back. */
    private static long life(int pods) {
        ReserveDesk berth = new ReserveDesk(ReserveSettings.DEFAULT.withMostPods(pods));
        for (int i = 0; i <= pods / PODS_PER_NODE; i++) {
            berth.add(
                    aNode("n" + i).with("64 cpu", "1000000 memory", "300 pods").build());
        }
        Seat[] all = seats(pods).toArray(new Seat[0]);
        long allocated = Allocation.of(() -> {
            assertThat(berth.reserve(all)).isEqualTo(ReserveAnswer.DONE);
            assertThat(berth.reserve(all)).isEqualTo(ReserveAnswer.DONE);
            for (int i = 0; i < pods; i += 10) {
                berth.add(all[i].pod().on(all[i].node()));
            }
            berth.goOn();
            assertThat(berth.unreserve(all)).isEqualTo(ReserveAnswer.DONE);
        });
        assertThat(berth.kept()).isEmpty();
        return allocated;
    }

    @Test
    void aGroupIsKeptAtOnceAndItsPlacesOpenAsTurnsHaveTime() {
        ReserveDesk berth = new ReserveDesk();
        berth.add(aNode("n0").with("64 cpu", "1000000 memory", "300 pods").build());
        berth.haveNoTime();

        assertThat(berth.reserve(seats(10).toArray(new Seat[0]))).isEqualTo(ReserveAnswer.DONE);
        assertThat(berth.kept()).as("no other pod takes their room").hasSize(10);
        assertThat(closed(berth))
                .as("questions wait for a turn, not for the group")
                .isPositive();

        berth.haveTime();
        assertThat(closed(berth)).isZero();
        assertThat(berth.kept()).hasSize(10);
    }

    @Test
    @Timeout(10)
    void manyHostPortsAreNotComparedPairByPair() {
        ReserveDesk berth = new ReserveDesk();
        berth.add(aNode("n0").with("64 cpu", "1000000 memory", "300 pods").build());

        assertThat(berth.reserve(allPorts("TCP"), allPorts("UDP"), allPorts("SCTP")))
                .as("13 billion pairs of ports, none of which conflict")
                .isEqualTo(ReserveAnswer.DONE);
    }

    private static Seat allPorts(String protocol) {
        List<HostPort> ports = IntStream.rangeClosed(1, 65_535)
                .mapToObj(port -> new HostPort(protocol, "", port))
                .toList();
        return seat(
                aPod(protocol)
                        .asking("1 cpu")
                        .shaped(shape -> shape.hostPorts(ports))
                        .build(),
                "n0");
    }

    private static long closed(ReserveDesk berth) {
        return berth.ledger().facts().holds().stream().filter(Hold::closed).count();
    }

    @Test
    void aGroupOfTenTimesThePodsAllocatesAboutTenTimesAsMuch() {
        life(FEW); // What is allocated once, such as by classes as they load, does not count.
        long once = life(FEW);

        assertThat(life(10 * FEW) / (double) once)
                .as("ten by the number of pods, a hundred by its square")
                .isLessThan(15);
    }
}
