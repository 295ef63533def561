package dev.berth.testkit.mutation;

import org.jspecify.annotations.Nullable;

/** What happens instead of a method of the product. */
@FunctionalInterface
public interface FaultyBody {
    /**
     * Runs the faulty body.
     *
     * @return what the method returns; ignored where it returns nothing
     */
    @Nullable
    Object apply(InterceptedCall call) throws Throwable;
}
