package dev.berth.core.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A random history of the ledger and the reference ledger. It depends on its seed alone. */
public final class RandomHistory {
    private static final int STEPS = 60;

    private RandomHistory() {}

    /** A history in which the ledger went wrong, made as short as dropping steps makes it. */
    public record Failure(long seed, List<Step> steps, List<String> problems) {
        /** What to print: the seed to replay it by, what happened, and what is wrong after the last step. */
        public String message() {
            StringBuilder words =
                    new StringBuilder("history of seed %d (replay with -Dberth.seed=%d):%n".formatted(seed, seed));
            steps.forEach(step -> words.append("  ").append(step.description()).append('\n'));
            problems.forEach(problem -> words.append("  ! ").append(problem).append('\n'));
            return words.toString();
        }
    }

    /** Lets it happen and checks after each step. */
    public static Optional<Failure> run(long seed) {
        LedgerUnderTest ledgerUnderTest = new LedgerUnderTest();
        Supplier<Step> narrator = stepGenerator(seed, ledgerUnderTest.reference());
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < STEPS; i++) {
            Step step = narrator.get();
            steps.add(step);
            List<String> problems = ledgerUnderTest.apply(step);
            if (!problems.isEmpty()) {
                return Optional.of(shrunk(new Failure(seed, List.copyOf(steps), problems)));
            }
        }
        return Optional.empty();
    }

    /** Every third history is of one node with many holds that depend on each other. */
    private static Supplier<Step> stepGenerator(long seed, ReferenceLedger known) {
        return Math.floorMod(seed, 3) == 0
                ? new LinkedHoldsStepGenerator(seed, known)::next
                : new StepGenerator(seed, known)::next;
    }

    private static Failure shrunk(Failure failure) {
        Failure smallest = failure;
        for (int length = failure.steps().size() / 2; length > 0; length = length == 1 ? 0 : length / 2) {
            for (int from = 0; from + length <= smallest.steps().size(); ) {
                List<Step> fewer = new ArrayList<>(smallest.steps());
                fewer.subList(from, from + length).clear();
                Optional<Failure> again = replay(failure.seed(), fewer);
                if (again.isPresent()) {
                    smallest = again.get();
                } else {
                    from++;
                }
            }
        }
        return smallest;
    }

    private static Optional<Failure> replay(long seed, List<Step> steps) {
        LedgerUnderTest ledgerUnderTest = new LedgerUnderTest();
        for (int i = 0; i < steps.size(); i++) {
            List<String> problems = ledgerUnderTest.apply(steps.get(i));
            if (!problems.isEmpty()) {
                return Optional.of(new Failure(seed, List.copyOf(steps.subList(0, i + 1)), problems));
            }
        }
        return Optional.empty();
    }
}
