package dev.berth.testkit.mutation;

import org.jspecify.annotations.Nullable;

/** Replaces the body of a method of the product. */
@FunctionalInterface
public interface FaultyBody {
    /**
     * Runs the faulty body.
     *
     * @return the result of the method; ignored for void
     */
    @Nullable
    Object apply(InterceptedCall call) throws Throwable;
}
