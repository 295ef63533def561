package dev.berth.core.resource;

import static dev.berth.core.testing.Amounts.amounts;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;

class ResourcesTest {
    private final long seed =
            Long.getLong("berth.seed", ThreadLocalRandom.current().nextLong());
    private final Random random = new Random(seed);

    @Test
    void vectorsAreAddedAndComparedNameByName() {
        for (int i = 0; i < 5_000; i++) {
            Resources left = vector();
            Resources right = vector();
            assertThat(left.plus(right)).as("seed %d", seed).isEqualTo(byName(left, right, BigInteger::add));
            assertThat(left.minus(right)).as("seed %d", seed).isEqualTo(byName(left, right, BigInteger::subtract));
            assertThat(left.max(right)).as("seed %d", seed).isEqualTo(byName(left, right, BigInteger::max));
            assertThat(left.min(right)).as("seed %d", seed).isEqualTo(byName(left, right, BigInteger::min));
        }
    }

    @Test
    void equalAmountsAreEqualVectorsAndHashAlike() {
        for (int i = 0; i < 5_000; i++) {
            Resources left = vector();
            Resources right = vector();
            boolean same =
                    left.withoutZeros().toMap().equals(right.withoutZeros().toMap());
            assertThat(left.equals(right))
                    .as("%s and %s, seed %d", left, right, seed)
                    .isEqualTo(same);
            assertThat(left.withoutZeros()).isEqualTo(left).hasSameHashCodeAs(left);
        }
    }

    @Test
    void aZeroAmountIsPresentButCountsForNothing() {
        Resources none = Resources.of(ResourceName.CPU, 0);

        assertThat(none.has(ResourceName.CPU)).isTrue();
        assertThat(none.isZero()).isTrue();
        assertThat(none).isEqualTo(Resources.NONE);
        assertThat(none.withoutZeros().size()).isZero();
    }

    @Test
    void sumsTooLargeStayAtTheEndOfTheRange() {
        Resources most = Resources.of(ResourceName.MEMORY, Long.MAX_VALUE);

        assertThat(most.plus(most)).isEqualTo(most);
        assertThat(most.plus(most).isCapped()).isTrue();
        assertThat(Resources.NONE.minus(most).minus(most).get(ResourceName.MEMORY))
                .isEqualTo(Long.MIN_VALUE);
    }

    @Test
    void onlyTheDimensionsOfTheOtherAreKept() {
        Resources kept = amounts("2 cpu", "1Gi memory").onlyOf(amounts("1 cpu", "1 pods"));

        assertThat(kept.toMap()).containsOnlyKeys(ResourceName.CPU, ResourceName.PODS);
        assertThat(kept).isEqualTo(amounts("2 cpu"));
    }

    @Test
    void amountsAreToldAsPeopleWriteThem() {
        assertThat(amounts("1500m cpu", "2Gi memory", "110 pods", "2 example.com/gpu"))
                .hasToString("1500m cpu, 2 example.com/gpu, 2Gi memory, 110 pods");
    }

    private Resources vector() {
        Map<ResourceName, Long> amounts = new TreeMap<>();
        for (String name : new String[] {"cpu", "memory", "pods", "a", "b"}) {
            if (random.nextBoolean()) {
                amounts.put(
                        new ResourceName(name), random.nextInt(20) == 0 ? random.nextLong() : random.nextInt(5) - 2L);
            }
        }
        return Resources.of(amounts);
    }

    private static Resources byName(Resources left, Resources right, BinaryOperator<BigInteger> operator) {
        Map<ResourceName, Long> result = new TreeMap<>(left.toMap());
        result.putAll(right.toMap());
        result.replaceAll((name, any) ->
                clamp(operator.apply(BigInteger.valueOf(left.get(name)), BigInteger.valueOf(right.get(name)))));
        return Resources.of(result);
    }

    private static long clamp(BigInteger value) {
        return value.max(BigInteger.valueOf(Long.MIN_VALUE))
                .min(BigInteger.valueOf(Long.MAX_VALUE))
                .longValueExact();
    }
}
