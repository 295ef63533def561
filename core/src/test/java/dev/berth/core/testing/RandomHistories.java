package dev.berth.core.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that takes a {@code long seed} and runs once for each of several seeds, on a fresh instance. A failure names the
 * command that runs it again. Tests of many short histories use {@link RandomSeeds#forEach} instead.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@TestTemplate
@ExtendWith(RandomHistoriesExtension.class)
public @interface RandomHistories {
    /** How many histories run, unless {@code -Dberth.seed} or {@code -Dberth.histories} is set. */
    int count();

    /** The seed of the first history. */
    long first() default 1;

    /** Whether each run has seeds that no run had before, instead of those from {@link #first} on. */
    boolean fresh() default false;
}
