package dev.berth.core.door.devices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.RandomHistories;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BipartiteMatchingTest {
    @Test
    void aDemandWithAlternativesGivesWayToADemandWithoutAny() {
        assertThat(solve(List.of(List.of("a", "b"), List.of("a")))).contains(List.of(List.of("b"), List.of("a")));
    }

    @Test
    void demandsForMoreDevicesThanThereAreHaveNoSolution() {
        assertThat(solve(List.of(List.of("a"), List.of("a")))).isEmpty();
        assertThat(solve(List.of(List.of()))).isEmpty();
        assertThat(solve(List.of())).contains(List.of());
    }

    @Test
    void freeDevicesAreAssignedInOrderBeforeAnyDemandIsReassigned() {
        assertThat(BipartiteMatching.solve(List.of(demand(2, "a", "b", "c"), demand(1, "a", "b", "c"))))
                .contains(List.of(List.of("a", "b"), List.of("c")));
    }

    @Test
    void aDemandForSeveralDevicesGivesUpAsManyAsOtherDemandsNeed() {
        assertThat(BipartiteMatching.solve(List.of(demand(2, "a", "b", "c", "d"), demand(2, "a", "b"))))
                .contains(List.of(List.of("c", "d"), List.of("a", "b")));
    }

    /** Each demand would take its own device or the next one's, and a last one wants the first device. */
    @ParameterizedTest
    @ValueSource(ints = {1_000, 32_000})
    void aLongAugmentingPathIsFound(int length) {
        List<List<String>> demands = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            demands.add(List.of("d" + i, "d" + (i + 1)));
        }
        demands.add(List.of("d0"));

        assertThat(solve(demands).orElseThrow().get(length)).containsExactly("d0");
    }

    @Test
    void unsatisfiableDemandsWithALongAugmentingPathHaveNoSolution() {
        List<List<String>> demands = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            demands.add(List.of("d" + i, "d" + (i + 1)));
        }
        demands.add(List.of("d0"));
        demands.add(List.of("d0", "d1"));

        assertThat(solve(demands)).isEmpty();
    }

    private static Optional<List<List<String>>> solve(List<List<String>> demands) {
        return BipartiteMatching.solve(demands.stream()
                .map(devices -> new BipartiteMatching.Demand(devices, 1))
                .toList());
    }

    private static BipartiteMatching.Demand demand(int count, String... devices) {
        return new BipartiteMatching.Demand(List.of(devices), count);
    }

    @RandomHistories(count = 1, first = 20_261_116)
    void aSolutionIsFoundWheneverOneExists(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 3_000; round++) {
            List<BipartiteMatching.Demand> demands = demands(random);
            Optional<List<List<String>>> given = BipartiteMatching.solve(demands);
            assertThat(given.isPresent())
                    .as("seed %d, round %d: %s", seed, round, demands)
                    .isEqualTo(possible(oneByOne(demands), 0, new HashSet<>()));
            given.ifPresent(devices -> {
                assertThat(devices.stream().flatMap(List::stream)).doesNotHaveDuplicates();
                for (int i = 0; i < demands.size(); i++) {
                    assertThat(devices.get(i)).hasSize(demands.get(i).count());
                    assertThat(demands.get(i).devices()).containsAll(devices.get(i));
                }
            });
        }
    }

    private static List<BipartiteMatching.Demand> demands(Random random) {
        List<BipartiteMatching.Demand> demands = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            List<String> takes = new ArrayList<>();
            for (String device : List.of("a", "b", "c", "d", "e")) {
                if (random.nextInt(3) == 0) {
                    takes.add(device);
                }
            }
            demands.add(new BipartiteMatching.Demand(takes, random.nextInt(4) == 0 ? random.nextInt(4) : 1));
        }
        return demands;
    }

    private static List<List<String>> oneByOne(List<BipartiteMatching.Demand> demands) {
        List<List<String>> single = new ArrayList<>();
        demands.forEach(demand -> single.addAll(Collections.nCopies(demand.count(), demand.devices())));
        return single;
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
