package dev.berth.testkit.planted;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Plays histories of a generator, with a planted defect or without. */
public final class Search {
    private final List<Path> folders;

    /** @param folders the compiled tests of the modules whose generators are not on the class path */
    public Search(List<Path> folders) {
        this.folders = List.copyOf(folders);
    }

    /**
     * What histories showed.
     *
     * @param found which histories failed, counted from one
     * @param problem how the first of them failed
     */
    public record Result(int played, List<Integer> found, String problem) {}

    /** Plays up to so many histories with the defect planted, and stops at the first that fails. */
    public Result first(Defect defect, Generator generator, int budget) {
        return play(Optional.of(defect), generator, budget, true);
    }

    /** Plays so many histories with the defect planted. */
    public Result all(Defect defect, Generator generator, int histories) {
        return play(Optional.of(defect), generator, histories, false);
    }

    /** Plays so many histories of the product as it is, loaded in the same way. */
    public Result healthy(Generator generator, int histories) {
        return play(Optional.empty(), generator, histories, false);
    }

    private Result play(Optional<Defect> defect, Generator generator, int histories, boolean stopAtFirst) {
        FaultyClasses classes = new FaultyClasses(defect, folders);
        List<Integer> found = new ArrayList<>();
        String problem = "";
        int played = 0;
        try {
            while (played < histories && !(stopAtFirst && !found.isEmpty())) {
                Optional<Object> failure = generator.failure(classes, generator.firstSeed() + played);
                played++;
                if (failure.isPresent()) {
                    problem = found.isEmpty() ? String.valueOf(failure.get()) : problem;
                    found.add(played);
                }
            }
            if (defect.isPresent()) {
                check(defect.get(), generator, classes);
            }
        } catch (ReflectiveOperationException unknown) {
            throw new BrokenPlantException("generator %s cannot be played".formatted(generator), unknown);
        }
        return new Result(played, List.copyOf(found), problem);
    }

    /** A faulty body that fails by itself, or that no history reaches, proves nothing. */
    private static void check(Defect defect, Generator generator, ClassLoader classes)
            throws ReflectiveOperationException {
        Class<?> theirs = Class.forName(PlantedDefects.class.getName(), true, classes);
        Throwable broken = (Throwable) theirs.getMethod("broken").invoke(null);
        if (broken != null) {
            throw new BrokenPlantException("the faulty body of defect %s fails".formatted(defect), broken);
        }
        if ((int) theirs.getMethod("calls").invoke(null) == 0) {
            throw new BrokenPlantException("no history of %s reaches %s, where defect %s is planted"
                    .formatted(generator.simpleName(), defect.place(), defect));
        }
    }
}
