package dev.berth.core.resource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.RandomHistories;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ResourceSumTest {
    private static final ResourceName GPU = new ResourceName("example.com/gpu");

    private final Random random = new Random(0);

    @RandomHistories(count = 1, fresh = true)
    void theSumOfWhatIsLeftIsExactAfterAmountsBeyondTheRangeOfALong(long seed) {
        random.setSeed(seed);
        ResourceSum sum = new ResourceSum();
        List<Resources> there = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            if (there.isEmpty() || random.nextInt(there.size() < 20 ? 3 : 2) > 0) {
                Resources amounts = amounts();
                there.add(amounts);
                sum.add(amounts);
            } else {
                sum.subtract(there.remove(random.nextInt(there.size())));
            }
            Resources expected = there.stream().reduce(Resources.NONE, Resources::plus);
            assertThat(sum.total()).as("seed %d, step %d", seed, i).isEqualTo(expected);
            assertThat(sum.copy().total()).isEqualTo(expected);
        }
    }

    @Test
    void aCopyOfAnOverflowingSumIsIndependent() {
        ResourceSum sum = new ResourceSum();
        Resources huge = Resources.of(ResourceName.MEMORY, Long.MAX_VALUE);
        sum.add(huge);
        sum.add(huge);
        ResourceSum copy = sum.copy();
        copy.subtract(huge);
        copy.subtract(huge);

        assertThat(copy.total().isZero()).isTrue();
        assertThat(sum.total()).isEqualTo(huge);
    }

    private Resources amounts() {
        Resources amounts = Resources.of(ResourceName.CPU, random.nextInt(1_000));
        if (random.nextInt(3) == 0) {
            amounts = amounts.with(
                    ResourceName.MEMORY, random.nextInt(4) == 0 ? Long.MAX_VALUE : random.nextLong() >>> 1);
        }
        return random.nextBoolean() ? amounts : amounts.with(GPU, random.nextInt(3));
    }
}
