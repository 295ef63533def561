package dev.berth.http.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteBudgetTest {
    private static final int FREE = ByteBudget.FREE_BYTES;

    @Test
    void aShareBeyondTheBudgetIsRefusedAndTakesNothing() {
        ByteBudget budget = new ByteBudget(1_000);
        try (ByteBudget.Share first = budget.open();
                ByteBudget.Share second = budget.open()) {
            first.take(FREE + 600);
            assertThat(budget.used()).isEqualTo(600);

            assertThatThrownBy(() -> second.take(FREE + 401))
                    .isInstanceOf(OverBudget.class)
                    .hasMessage("%d bytes more are needed, and 600 of 1000 are in use".formatted(FREE + 401));
            assertThat(budget.used()).isEqualTo(600);
            assertThat(budget.refusals()).isEqualTo(1);

            second.take(FREE + 400);
            assertThat(budget.used()).isEqualTo(1_000);
        }
        assertThat(budget.used()).isZero();
    }

    @Test
    void aSmallRequestIsServedWhileTheBudgetIsSpent() {
        ByteBudget budget = new ByteBudget(1);
        try (ByteBudget.Share large = budget.open();
                ByteBudget.Share small = budget.open()) {
            large.take(FREE + 1);

            small.take(FREE);

            assertThat(budget.used()).isEqualTo(1);
        }
    }

    @Test
    void aShareThatWouldNotFitAloneIsRefusedForGood() {
        ByteBudget budget = new ByteBudget(1_000);
        try (ByteBudget.Share first = budget.open();
                ByteBudget.Share second = budget.open()) {
            first.take(FREE + 600);
            second.take(FREE + 100);

            assertThatThrownBy(() -> second.take(900))
                    .isInstanceOfSatisfying(
                            OverBudget.class,
                            over -> assertThat(over.isForGood()).isFalse());
            assertThatThrownBy(() -> second.take(901))
                    .isInstanceOfSatisfying(
                            OverBudget.class,
                            over -> assertThat(over.isForGood()).isTrue());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void aBudgetThatIsNotPositiveIsRefused(long bytes) {
        assertThatThrownBy(() -> new ByteBudget(bytes)).hasMessageContaining("bytes (%d)".formatted(bytes));
    }

    @Test
    void afterRandomSharesFromSeveralThreadsNothingIsInUse() throws Exception {
        ByteBudget budget = new ByteBudget(100_000);
        List<Thread> threads = new ArrayList<>();
        for (int seed = 0; seed < 4; seed++) {
            Random random = new Random(seed);
            Thread thread = new Thread(() -> shares(budget, random));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(budget.used()).isZero();
        assertThat(budget.refusals()).isPositive();
    }

    private static void shares(ByteBudget budget, Random random) {
        for (int i = 0; i < 1_000; i++) {
            try (ByteBudget.Share share = budget.open()) {
                share.take(random.nextInt(80_000));
                share.giveBack(random.nextInt(80_000));
                share.take(random.nextInt(80_000));
            } catch (OverBudget full) {
                assertThat(budget.used()).isLessThanOrEqualTo(400_000);
            }
        }
    }
}
