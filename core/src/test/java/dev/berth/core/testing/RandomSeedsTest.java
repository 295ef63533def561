package dev.berth.core.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RandomSeedsTest {
    @Test
    void aFailingHistoryNamesTheCommandThatRunsItAlone() {
        assertThatThrownBy(() ->
                        RandomSeeds.forEach(5, 10, seed -> assertThat(seed).isLessThan(7)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Expecting actual")
                .message()
                .matches("(?s).*\nReplay: mvn test -pl \\S+ -am -Dtest='RandomSeedsTest#"
                        + "aFailingHistoryNamesTheCommandThatRunsItAlone' -Dsurefire.failIfNoSpecifiedTests=false"
                        + " -Dtests.excluded= -Dberth.seed=7");
    }

    @Test
    void theHistoriesRunInTheOrderOfTheirSeeds() {
        List<Long> seeds = new ArrayList<>();
        RandomSeeds.forEach(3, 4, seeds::add);
        assertThat(seeds)
                .containsExactlyElementsOf(RandomSeeds.range(3, 4).boxed().toList());
    }
}
