package dev.berth.core.door.koordinator;

import dev.berth.core.testing.OperationCounts;
import dev.berth.core.testing.RandomHistories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/**
 * One history of everything that can happen to Reservations: owners of every kind, preemption, pods that are taken over,
 * resizes, moves, deletions, deadlines, restarts and failing writes. After each step nothing is promised twice and the slow
 * ledger agrees. At rest the statuses are true, a restart changes nothing, what waits fits nowhere, and the slow placer
 * makes the same next decision.
 */
class RandomHistoryTest {
    private static final int STEPS = 90;
    private static final int STEPS_UNTIL_CALM = 15;

    private static final OperationCounts<HistoryOperation> OPERATIONS = new OperationCounts<>(HistoryOperation.class);
    private static final OperationCounts<HistoryCase> CASES = new OperationCounts<>(HistoryCase.class);
    private static boolean ranFixedSeeds;

    @RandomHistories(count = 8)
    void nothingIsPromisedTwiceAndNothingWaitsThatFits(long seed) {
        ranFixedSeeds = true;
        run(seed);
    }

    /** Each run of all tests tries one history that no run had before. */
    @RandomHistories(count = 1, fresh = true)
    void nothingIsPromisedTwiceInANewHistory(long seed) {
        run(seed);
    }

    @Tag("long")
    @RandomHistories(count = 1_112, fresh = true)
    void nothingIsPromisedTwiceInAHundredThousandSteps(long seed) {
        run(seed);
    }

    /** The fixed seeds reach every operation and every case that the checks are for. */
    @AfterAll
    static void everyOperationAndEveryCaseHappened() {
        if (ranFixedSeeds) {
            OPERATIONS.assertEachHappened();
            CASES.assertEachHappened();
        }
    }

    private static void run(long seed) {
        RandomHistory history = new RandomHistory(seed, OPERATIONS, CASES);
        HistoryStepChecker steps = new HistoryStepChecker(history);
        HistoryCalmChecker calm = new HistoryCalmChecker(history);
        HistoryLivenessChecker liveness = new HistoryLivenessChecker(history);
        for (int step = 0; step < STEPS; step++) {
            HistoryOperation operation = history.next();
            String where = "seed %d, step %d (%s)".formatted(seed, step, operation);
            calm.noteTime();
            steps.check(where);
            if (step % STEPS_UNTIL_CALM == STEPS_UNTIL_CALM - 1) {
                calm.calm(where);
                steps.check(where);
                calm.check(where);
                liveness.check(where);
            }
        }
    }
}
