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
    private static final int FREE = ByteBudget.FREE_BYTES_PER_REQUEST;

    @Test
    void aShareBeyondTheBudgetIsRejectedAndAcquiresNothing() {
        ByteBudget budget = new ByteBudget(1_000);
        try (ByteBudget.Share first = budget.openShare();
                ByteBudget.Share second = budget.openShare()) {
            first.acquire(FREE + 600);
            assertThat(budget.used()).isEqualTo(600);

            assertThatThrownBy(() -> second.acquire(FREE + 401))
                    .isInstanceOf(MemoryBudgetExceededException.class)
                    .hasMessage("%d bytes more are needed, and 600 of 1000 are in use".formatted(FREE + 401));
            assertThat(budget.used()).isEqualTo(600);
            assertThat(budget.rejections()).isEqualTo(1);

            second.acquire(FREE + 400);
            assertThat(budget.used()).isEqualTo(1_000);
        }
        assertThat(budget.used()).isZero();
    }

    @Test
    void aSmallRequestIsServedWhileTheBudgetIsExhausted() {
        ByteBudget budget = new ByteBudget(1);
        try (ByteBudget.Share large = budget.openShare();
                ByteBudget.Share small = budget.openShare()) {
            large.acquire(FREE + 1);

            small.acquire(FREE);

            assertThat(budget.used()).isEqualTo(1);
        }
    }

    @Test
    void aShareLargerThanTheBudgetIsRejectedPermanently() {
        ByteBudget budget = new ByteBudget(1_000);
        try (ByteBudget.Share first = budget.openShare();
                ByteBudget.Share second = budget.openShare()) {
            first.acquire(FREE + 600);
            second.acquire(FREE + 100);

            assertThatThrownBy(() -> second.acquire(900))
                    .isInstanceOfSatisfying(
                            MemoryBudgetExceededException.class,
                            over -> assertThat(over.isPermanent()).isFalse());
            assertThatThrownBy(() -> second.acquire(901))
                    .isInstanceOfSatisfying(
                            MemoryBudgetExceededException.class,
                            over -> assertThat(over.isPermanent()).isTrue());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void aBudgetThatIsNotPositiveIsRejected(long bytes) {
        assertThatThrownBy(() -> new ByteBudget(bytes)).hasMessageContaining("bytes (%d)".formatted(bytes));
    }

    @Test
    void afterRandomSharesFromSeveralThreadsNothingIsInUse() throws Exception {
        ByteBudget budget = new ByteBudget(100_000);
        List<Thread> threads = new ArrayList<>();
        for (int seed = 0; seed < 4; seed++) {
            Random random = new Random(seed);
            Thread thread = new Thread(() -> acquireRandomShares(budget, random));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(budget.used()).isZero();
        assertThat(budget.rejections()).isPositive();
    }

    private static void acquireRandomShares(ByteBudget budget, Random random) {
        for (int i = 0; i < 1_000; i++) {
            try (ByteBudget.Share share = budget.openShare()) {
                share.acquire(random.nextInt(80_000));
                share.release(random.nextInt(80_000));
                share.acquire(random.nextInt(80_000));
            } catch (MemoryBudgetExceededException full) {
                assertThat(budget.used()).isLessThanOrEqualTo(400_000);
            }
        }
    }
}
