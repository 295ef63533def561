package dev.berth.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.RandomSeeds;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many tolerations are looked up; what they tolerate is what comparing all of them one by one would say. */
class TolerationsTest {
    @Test
    void indexedTolerationsTolerateTheSameTaintsAsComparingEach() {
        RandomSeeds.forEach(0, 2000, seed -> {
            Random random = new Random(seed);
            List<Toleration> tolerations = IntStream.range(0, random.nextInt(20))
                    .mapToObj(i -> toleration(random))
                    .toList();
            for (int i = 0; i < 10; i++) {
                Taint taint = new Taint("k" + random.nextInt(8), "v" + random.nextInt(5), effect(random));
                assertThat(new Tolerations(tolerations).tolerate(taint))
                        .as("seed %d: whether %s tolerate %s", seed, tolerations, taint)
                        .isEqualTo(tolerations.stream().anyMatch(one -> one.tolerates(taint)));
            }
        });
    }

    @Test
    void onlyUntoleratedTaintsThatForbidSchedulingKeepAPodAway() {
        PodSpec pod = PodSpec.builder()
                .tolerations(List.of(new Toleration("a", Toleration.Operator.EXISTS, "", Optional.empty())))
                .build();
        Taint tolerated = new Taint("a", "", Taint.TaintEffect.NO_EXECUTE);
        Taint avoided = new Taint("b", "", Taint.TaintEffect.PREFER_NO_SCHEDULE);

        assertThat(pod.hasUntoleratedTaint(List.of(tolerated, avoided))).isFalse();
        assertThat(pod.hasUntoleratedTaint(List.of(tolerated, new Taint("b", "", Taint.TaintEffect.NO_EXECUTE))))
                .isTrue();
        assertThat(pod.isRepelledBy(Taint.UNSCHEDULABLE)).isTrue();
        assertThat(pod.isRepelledBy(tolerated)).isFalse();
        assertThat(pod.isRepelledBy(avoided)).isFalse();
    }

    private static Toleration toleration(Random random) {
        String key = random.nextInt(60) == 0 ? "" : "k" + random.nextInt(8);
        boolean exists = key.isEmpty() || random.nextInt(4) == 0;
        return new Toleration(
                key,
                exists ? Toleration.Operator.EXISTS : Toleration.Operator.EQUAL,
                "v" + random.nextInt(5),
                random.nextBoolean() ? Optional.empty() : Optional.of(effect(random)));
    }

    private static Taint.TaintEffect effect(Random random) {
        return List.copyOf(EnumSet.allOf(Taint.TaintEffect.class)).get(random.nextInt(3));
    }
}
