package dev.berth.testkit.planted;

import org.jspecify.annotations.Nullable;

/** What happens instead of a method of the product. */
@FunctionalInterface
public interface Fault {
    /**
     * Runs the faulty body.
     *
     * @return what the method returns; ignored where it returns nothing
     */
    @Nullable
    Object instead(Call call) throws Throwable;
}
