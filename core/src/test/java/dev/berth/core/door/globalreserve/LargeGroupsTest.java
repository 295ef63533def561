package dev.berth.core.door.globalreserve;

import static dev.berth.core.door.globalreserve.GlobalReserveScene.assignment;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.door.globalreserve.ReserveRequest.PodAssignment;
import dev.berth.core.hold.Hold;
import dev.berth.core.testing.AllocatedBytes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a group costs grows with its pods, not with their square, and what need not be done at once is done in parts. */
class LargeGroupsTest {
    private static final int PODS_PER_NODE = 100;
    private static final int FEW = 200;

    private static List<PodAssignment> seats(int pods) {
        List<PodAssignment> podAssignments = new ArrayList<>();
        for (int i = 0; i < pods; i++) {
            podAssignments.add(
                    assignment(aPod("p" + i).asking("10m cpu", "10 memory").build(), "n" + i / PODS_PER_NODE));
        }
        return podAssignments;
    }

    /** The cost of a whole life: reserve, written, reserved once more, a tenth bound, the rest given back. */
    private static long life(int pods) {
        GlobalReserveScene berth = new GlobalReserveScene(GlobalReserveSettings.DEFAULT.withMaxPods(pods));
        for (int i = 0; i <= pods / PODS_PER_NODE; i++) {
            berth.upsert(
                    aNode("n" + i).with("64 cpu", "1000000 memory", "300 pods").build());
        }
        PodAssignment[] all = seats(pods).toArray(new PodAssignment[0]);
        long allocated = AllocatedBytes.measure(() -> {
            assertThat(berth.reserve(all)).isEqualTo(ReserveResponse.SUCCESS);
            assertThat(berth.reserve(all)).isEqualTo(ReserveResponse.SUCCESS);
            for (int i = 0; i < pods; i += 10) {
                berth.upsert(all[i].pod().boundTo(all[i].nodeName()));
            }
            berth.completeAll();
            assertThat(berth.unreserve(all)).isEqualTo(ReserveResponse.SUCCESS);
        });
        assertThat(berth.heldPlaces()).isEmpty();
        return allocated;
    }

    @Test
    void aGroupIsHeldAtOnceAndItsPlacesOpenOverSeveralTurns() {
        GlobalReserveScene berth = new GlobalReserveScene();
        berth.upsert(aNode("n0").with("64 cpu", "1000000 memory", "300 pods").build());
        berth.limitToOneObjectPerTurn();

        assertThat(berth.reserve(seats(10).toArray(new PodAssignment[0]))).isEqualTo(ReserveResponse.SUCCESS);
        assertThat(berth.heldPlaces()).as("no other pod takes their room").hasSize(10);
        assertThat(closed(berth))
                .as("questions wait for a turn, not for the group")
                .isPositive();

        berth.removeTurnLimit();
        assertThat(closed(berth)).isZero();
        assertThat(berth.heldPlaces()).hasSize(10);
    }

    @Test
    @Timeout(10)
    void manyHostPortsAreNotComparedPairByPair() {
        GlobalReserveScene berth = new GlobalReserveScene();
        berth.upsert(aNode("n0").with("64 cpu", "1000000 memory", "300 pods").build());

        assertThat(berth.reserve(allPorts("TCP"), allPorts("UDP"), allPorts("SCTP")))
                .as("13 billion pairs of ports, none of which conflict")
                .isEqualTo(ReserveResponse.SUCCESS);
    }

    private static PodAssignment allPorts(String protocol) {
        List<HostPort> ports = IntStream.rangeClosed(1, 65_535)
                .mapToObj(port -> new HostPort(protocol, "", port))
                .toList();
        return assignment(
                aPod(protocol)
                        .asking("1 cpu")
                        .withSpec(spec -> spec.hostPorts(ports))
                        .build(),
                "n0");
    }

    private static long closed(GlobalReserveScene berth) {
        return berth.ledger().facts().holds().stream().filter(Hold::isClosed).count();
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
