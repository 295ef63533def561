package dev.berth.testkit.mutation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs histories of a generator, with or without a planted defect. */
public final class DefectSearch {
    private final List<Path> folders;

    /** @param folders the compiled tests of modules whose generators are not on the class path */
    public DefectSearch(List<Path> folders) {
        this.folders = List.copyOf(folders);
    }

    /**
     * The result of histories.
     *
     * @param failedHistories the numbers of the failed histories, from one
     * @param problem how the first of them failed
     */
    public record Result(int historiesPlayed, List<Integer> failedHistories, String problem) {}

    /** Runs up to so many histories with the defect planted, and stops at the first failure. */
    public Result untilFirstFailure(Defect defect, RandomTest randomTest, int budget) {
        return play(Optional.of(defect), randomTest, budget, true);
    }

    /** Runs so many histories with the defect planted. */
    public Result withDefect(Defect defect, RandomTest randomTest, int histories) {
        return play(Optional.of(defect), randomTest, histories, false);
    }

    /** Runs so many histories of the unchanged product, loaded in the same way. */
    public Result withoutDefect(RandomTest randomTest, int histories) {
        return play(Optional.empty(), randomTest, histories, false);
    }

    private Result play(Optional<Defect> defect, RandomTest randomTest, int histories, boolean stopAtFirst) {
        DefectClassLoader classes = new DefectClassLoader(defect, folders);
        List<Integer> found = new ArrayList<>();
        String problem = "";
        int played = 0;
        try {
            while (played < histories && !(stopAtFirst && !found.isEmpty())) {
                Optional<Object> failure = randomTest.failure(classes, randomTest.firstSeed() + played);
                played++;
                if (failure.isPresent()) {
                    problem = found.isEmpty() ? String.valueOf(failure.get()) : problem;
                    found.add(played);
                }
            }
            if (defect.isPresent()) {
                requireReached(defect.get(), randomTest, classes);
            }
        } catch (ReflectiveOperationException unknown) {
            throw new UnusableDefectException("generator %s cannot be played".formatted(randomTest), unknown);
        }
        return new Result(played, List.copyOf(found), problem);
    }

    /** A faulty body that throws by itself, or that no history reaches, proves nothing. */
    private static void requireReached(Defect defect, RandomTest randomTest, ClassLoader classes)
            throws ReflectiveOperationException {
        Class<?> theirs = Class.forName(PlantedDefects.class.getName(), true, classes);
        Throwable broken = (Throwable) theirs.getMethod("broken").invoke(null);
        if (broken != null) {
            throw new UnusableDefectException("the faulty body of defect %s fails".formatted(defect), broken);
        }
        if ((int) theirs.getMethod("calls").invoke(null) == 0) {
            throw new UnusableDefectException("no history of %s reaches %s, where defect %s is planted"
                    .formatted(randomTest.simpleName(), defect.location(), defect));
        }
    }
}
