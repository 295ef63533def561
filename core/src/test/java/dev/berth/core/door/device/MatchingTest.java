package dev.berth.core.door.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MatchingTest {
    @Test
    void oneThatHasAChoiceMovesOnForOneThatHasNone() {
        assertThat(Matching.of(List.of(List.of("a", "b"), List.of("a")))).contains(List.of("b", "a"));
    }

    @Test
    void whatThereIsNotCannotBeGiven() {
        assertThat(Matching.of(List.of(List.of("a"), List.of("a")))).isEmpty();
        assertThat(Matching.of(List.of(List.of()))).isEmpty();
        assertThat(Matching.of(List.of())).contains(List.of());
    }

    @Test
    void aWayIsFoundWheneverThereIsOne() {
        long seed = Long.getLong("berth.devices.seed", 20_261_116L);
        Random random = new Random(seed);
        for (int round = 0; round < 3_000; round++) {
            List<List<String>> demands = demands(random);
            Optional<List<String>> given = Matching.of(demands);
            assertThat(given.isPresent())
                    .as("seed %d, round %d: %s", seed, round, demands)
                    .isEqualTo(possible(demands, 0, new HashSet<>()));
            given.ifPresent(devices -> {
                assertThat(devices).doesNotHaveDuplicates().hasSameSizeAs(demands);
                for (int i = 0; i < demands.size(); i++) {
                    assertThat(demands.get(i)).contains(devices.get(i));
                }
            });
        }
    }

    private static List<List<String>> demands(Random random) {
        List<List<String>> demands = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            List<String> takes = new ArrayList<>();
            for (String device : List.of("a", "b", "c", "d", "e")) {
                if (random.nextInt(3) == 0) {
                    takes.add(device);
                }
            }
            demands.add(takes);
        }
        return demands;
    }

    private static boolean possible(List<List<String>> demands, int from, Set<String> taken) {
        if (from == demands.size()) {
            return true;
        }
        for (String device : demands.get(from)) {
            if (taken.add(device)) {
                boolean rest = possible(demands, from + 1, taken);
                taken.remove(device);
                if (rest) {
                    return true;
                }
            }
        }
        return false;
    }
}
