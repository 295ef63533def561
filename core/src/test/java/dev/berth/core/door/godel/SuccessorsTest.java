package dev.berth.core.door.godel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.godel.GodelWrite.Successor;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.testing.CpuTime;
import dev.berth.core.testing.RandomSeeds;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Finds the successor of a hold among many pods whose records name it. */
class SuccessorsTest {
    private static final HoldId PLACE = new HoldId("godel/default/res/uid");
    private static final int LOOKUPS = 300;

    private static ReturnKey key(String index) {
        return new ReturnKey("default", index);
    }

    private static Successor taker(String pod, String node) {
        return new Successor("default", pod, new PodUid(pod), node);
    }

    @Test
    void lookupCostDoesNotGrowWithForgedHoldAnnotations() {
        long few = lookups(100);
        long many = lookups(20_000);

        assertThat(many)
                .as("CPU time beside many forged records, %d beside few", few)
                .isLessThan(20 * few);
    }

    private static long lookups(int forged) {
        Successors successors = new Successors();
        for (int i = 0; i < forged; i++) {
            successors.add(PLACE, taker("f" + i, "n1"), key("other"));
        }
        return CpuTime.minimum(5, () -> {
            for (int i = 0; i < LOOKUPS; i++) {
                assertThat(successors.find(PLACE, "n1", key("i"))).isEmpty();
            }
        });
    }

    /** Compares the lookup with a scan of all pods. */
    @Test
    void assumedPodIsPreferredThenTheFirstPodWithTheKey() {
        RandomSeeds.forEach(1, 300, seed -> {
            Random random = new Random(seed);
            SuccessorCandidates candidates = new SuccessorCandidates();
            Map<String, String> nodes = new TreeMap<>();
            Map<String, Set<String>> keys = new TreeMap<>();
            Set<String> assumed = new TreeSet<>();
            for (int step = 0; step < 40; step++) {
                String pod = "p" + random.nextInt(6);
                String key = "k" + random.nextInt(3);
                candidates.add(taker(pod, nodes.computeIfAbsent(pod, same -> "n" + random.nextInt(2))));
                switch (random.nextInt(5)) {
                    case 0 -> {
                        candidates.markAssumed(new PodUid(pod));
                        assumed.add(pod);
                    }
                    case 1 -> {
                        candidates.remove(new PodUid(pod));
                        nodes.remove(pod);
                        keys.remove(pod);
                        assumed.remove(pod);
                    }
                    default -> {
                        candidates.addKey(new PodUid(pod), key(key));
                        keys.computeIfAbsent(pod, same -> new TreeSet<>()).add(key);
                    }
                }
                Optional<String> slow = nodes.keySet().stream()
                        .filter(it -> "n0".equals(nodes.get(it)) && assumed.contains(it))
                        .findFirst()
                        .or(() -> nodes.keySet().stream()
                                .filter(it -> "n0".equals(nodes.get(it))
                                        && keys.getOrDefault(it, Set.of()).contains("k0"))
                                .findFirst());
                assertThat(candidates.findBest("n0", key("k0")).map(Successor::name))
                        .as("seed %d, step %d", seed, step)
                        .isEqualTo(slow);
            }
        });
    }
}
