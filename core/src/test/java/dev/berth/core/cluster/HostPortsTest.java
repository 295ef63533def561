package dev.berth.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.RandomHistories;
import java.util.AbstractList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.RandomAccess;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HostPortsTest {
    private final Random random = new Random(0);

    @RandomHistories(count = 1, fresh = true)
    void twoListsConflictWhereSomePortConflictsWithAnother(long seed) {
        random.setSeed(seed);
        for (int i = 0; i < 20_000; i++) {
            List<HostPort> some = ports();
            List<HostPort> others = ports();
            Optional<HostPort> expected = some.stream()
                    .filter(one -> others.stream().anyMatch(one::conflictsWith))
                    .findFirst();
            assertThat(HostPorts.firstConflict(some, others))
                    .as("seed %d: %s and %s", seed, some, others)
                    .isEqualTo(expected);
            assertThat(HostPorts.conflict(some, others)).isEqualTo(expected.isPresent());
            HostPortSet used = new HostPortSet();
            used.add(others);
            assertThat(used.firstConflict(some))
                    .as("seed %d: %s and the set of %s", seed, some, others)
                    .isEqualTo(expected);
        }
    }

    private List<HostPort> ports() {
        String[] addresses = {"", "10.0.0.1", "10.0.0.2", "!", "::1"};
        return IntStream.range(0, random.nextInt(5))
                .mapToObj(i -> new HostPort(
                        random.nextBoolean() ? "TCP" : "UDP",
                        addresses[random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(4)],
                        1 + random.nextInt(6)))
                .sorted()
                .distinct()
                .toList();
    }

    @Test
    void longPortListsAreComparedInOnePass() {
        Counted even = new Counted(10_000, 0);
        Counted odd = new Counted(10_000, 1);

        assertThat(HostPorts.conflict(even, odd)).isFalse();
        assertThat(even.asked + odd.asked).as("looks at 20000 ports").isLessThan(100_000);
    }

    private static final class Counted extends AbstractList<HostPort> implements RandomAccess {
        private final int size;
        private final int offset;
        private int asked;

        Counted(int size, int offset) {
            this.size = size;
            this.offset = offset;
        }

        @Override
        public HostPort get(int index) {
            asked++;
            return new HostPort("TCP", "", 1 + 2 * index + offset);
        }

        @Override
        public int size() {
            return size;
        }
    }
}
