package dev.berth.core.door.alldoors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.RandomHistories;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;

/**
 * All doors open on one ledger, and Berth killed at any moment: no room is promised twice, unless another scheduler binds
 * without asking or a node becomes smaller. Once churn stops, no hold is left that nothing ends, no pod waits that some node
 * would take, and a restart finds the same room.
 */
class AllDoorsTest {
    private static final int STEPS = 60;

    @RandomHistories(count = 54)
    void noCapacityIsPromisedTwiceWheneverBerthIsKilled(long seed) {
        play(seed);
    }

    @Tag("long")
    @RandomHistories(count = 500, fresh = true)
    void noCapacityIsPromisedTwiceInNewHistories(long seed) {
        play(seed);
    }

    /** One history; other programs count how many of them fail. */
    static void play(long seed) {
        RandomAllDoorsHistory history = new RandomAllDoorsHistory(seed);
        try {
            play(history);
        } catch (AssertionError broken) {
            throw new AssertionError(
                    "%s%n%s%n%s"
                            .formatted(
                                    broken.getMessage(),
                                    String.join(System.lineSeparator(), history.cluster.log),
                                    history.cluster.state()),
                    broken);
        }
    }

    private static void play(RandomAllDoorsHistory history) {
        for (int step = 0; step < STEPS; step++) {
            history.next();
        }
        history.runToCompletion();
        checkEveryHoldEnds(history.cluster);
        assertThat(history.cluster.waitingPodsThatFit())
                .as("pods that wait although a node would take them")
                .isEmpty();
        checkARestartFindsTheSameCapacity(history.cluster);
    }

    private static void checkEveryHoldEnds(AllDoorsCluster cluster) {
        assertThat(cluster.snapshot().facts().holds())
                .map(Hold::id)
                .as("holds of pods that are gone, bound, or left long ago")
                .noneMatch(id -> id.value().startsWith("godel/") || id.value().startsWith("globalreserve/"))
                .noneMatch(id -> id.value().startsWith("preemption/")
                        && cluster.server.pods.values().stream()
                                .filter(Pod::awaitsBinding)
                                .noneMatch(pod -> id.value().endsWith(pod.uid().value())));
    }

    private static void checkARestartFindsTheSameCapacity(AllDoorsCluster cluster) {
        Map<String, Resources> before = free(cluster);
        cluster.kill();
        cluster.start(true);
        cluster.runUntilIdle();
        assertThat(free(cluster)).as("free room after a restart").isEqualTo(before);
    }

    private static Map<String, Resources> free(AllDoorsCluster cluster) {
        Map<String, Resources> free = new TreeMap<>();
        for (String node : cluster.server.nodes.keySet()) {
            free.put(node, cluster.node(node).map(NodeState::free).orElseThrow());
        }
        return free;
    }
}
