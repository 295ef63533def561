package dev.berth.core.ledger;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.HoldId;
import dev.berth.core.testing.AllocatedBytes;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A pod may name tens of thousands of host ports. What happens on its node costs no more for that. */
class ManyPortsTest {
    private static final int EVENTS = 50;

    private final Ledger ledger = new Ledger();

    private static Pod withPorts(int count) {
        List<HostPort> ports = IntStream.range(1, count + 1)
                .mapToObj(port -> new HostPort("TCP", HostPort.ANY_ADDRESS, port))
                .toList();
        return aPod("ports").withSpec(spec -> spec.hostPorts(ports)).on("n").build();
    }

    @Test
    void theCostOfChangingPodsDoesNotGrowWithThePortsOfAnotherPod() {
        Pod few = withPorts(10);
        Pod many = withPorts(20_000);
        cost(few);

        assertThat(cost(many))
                .as("bytes beside 20000 ports, %d beside 10", cost(few))
                .isLessThan(2 * cost(few));
    }

    private static long cost(Pod ports) {
        Ledger ledger = new Ledger();
        ledger.put(aNode("n").with("8 cpu").build());
        ledger.put(ports);
        return AllocatedBytes.measure(() -> {
            for (int i = 0; i < EVENTS; i++) {
                ledger.put(aPod("p" + i).asking("1m cpu").on("n").build());
                assertThat(ledger.node("n").orElseThrow().pods()).hasSize(i + 2);
                // The pod itself changed, too.
                ledger.put(ports.toBuilder()
                        .labels(ports.labels().with("touched", "" + i))
                        .build());
                assertThat(ledger.node("n").orElseThrow().pods()).hasSize(i + 2);
            }
        });
    }

    @Test
    void theSortedPortsAreKeptWhilePodsWithoutPortsComeAndGo() {
        ledger.put(aNode("n").with("8 cpu").build());
        ledger.put(withPorts(3));
        List<HostPort> before = ledger.node("n").orElseThrow().ports();
        ledger.put(aPod("p").on("n").build());

        assertThat(ledger.node("n").orElseThrow().ports()).isSameAs(before).hasSize(3);
    }

    @Test
    void aNodeStateKeepsThePortsOfItsMoment() {
        ledger.put(aNode("n").with("8 cpu").build());
        ledger.put(aPod("a").withHostPort(80).on("n").build());
        ledger.put(aHold("h").on("n").keepingHostPort(70).build());
        NodeState before = ledger.node("n").orElseThrow();
        ledger.put(aPod("b").withHostPort(90).on("n").build());
        NodeState after = ledger.node("n").orElseThrow();
        ledger.removeHold(new HoldId("h"));

        assertThat(before.ports()).extracting(HostPort::port).containsExactly(70, 80);
        assertThat(after.ports()).extracting(HostPort::port).containsExactly(70, 80, 90);
        assertThat(ledger.node("n").orElseThrow().ports())
                .extracting(HostPort::port)
                .containsExactly(80, 90);
    }
}
