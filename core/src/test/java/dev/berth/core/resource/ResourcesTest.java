package dev.berth.core.resource;

import static dev.berth.core.testing.Amounts.amounts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.RandomHistories;
import java.math.BigInteger;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Test;

class ResourcesTest {
    private final Random random = new Random(0);

    @RandomHistories(count = 1, fresh = true)
    void vectorsAreAddedAndComparedNameByName(long seed) {
        random.setSeed(seed);
        for (int i = 0; i < 5_000; i++) {
            Resources left = vector();
            Resources right = vector();
            assertThat(left.plus(right)).as("seed %d", seed).isEqualTo(byName(left, right, BigInteger::add));
            assertThat(left.minus(right)).as("seed %d", seed).isEqualTo(byName(left, right, BigInteger::subtract));
            assertThat(left.max(right)).as("seed %d", seed).isEqualTo(byName(left, right, BigInteger::max));
            assertThat(left.min(right)).as("seed %d", seed).isEqualTo(byName(left, right, BigInteger::min));
        }
    }

    @RandomHistories(count = 1, fresh = true)
    void equalAmountsAreEqualVectorsAndHashAlike(long seed) {
        random.setSeed(seed);
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

    @RandomHistories(count = 1, fresh = true)
    void requestsFitWhereNoneAboveZeroIsGreaterThanWhatIsFree(long seed) {
        random.setSeed(seed);
        for (int i = 0; i < 5_000; i++) {
            Resources requests = vector();
            Resources free = vector();
            boolean fits = requests.toMap().entrySet().stream()
                    .allMatch(request -> request.getValue() <= 0 || request.getValue() <= free.get(request.getKey()));
            assertThat(requests.fitsIn(free))
                    .as("%s in %s, seed %d", requests, free, seed)
                    .isEqualTo(fits);
        }
    }

    @Test
    void shortagesAreFoundInTheOrderOfTheNames() {
        Resources requests = amounts("2 cpu", "5 example.com/gpu", "0 pods").with(ResourceName.MEMORY, 1);
        Resources free = amounts("1 cpu").with(ResourceName.MEMORY, 1).with(ResourceName.PODS, -1);

        int first = requests.nextShortage(free, 0);
        int second = requests.nextShortage(free, first + 1);

        assertThat(requests.nameAt(first)).isEqualTo(ResourceName.CPU);
        assertThat(requests.nameAt(second)).hasToString("example.com/gpu");
        assertThat(requests.nextShortage(free, second + 1)).isNegative();
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
    void inDimensionsOfKeepsOnlyTheNamesOfTheOther() {
        Resources kept = amounts("2 cpu", "1Gi memory").inDimensionsOf(amounts("1 cpu", "1 pods"));

        assertThat(kept.toMap()).containsOnlyKeys(ResourceName.CPU, ResourceName.PODS);
        assertThat(kept).isEqualTo(amounts("2 cpu"));
    }

    @Test
    void amountsPrintAsKubernetesQuantities() {
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
