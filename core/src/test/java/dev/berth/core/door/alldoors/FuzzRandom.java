package dev.berth.core.door.alldoors;

import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Random;

/** Chance, the clock, and the texts and amounts that a hostile author would try. */
final class FuzzRandom {
    /** Far from now, and still a time that an API object can say. */
    static final Instant FAR = Instant.parse("9999-12-31T23:59:59Z");

    private static final List<String> HOLDS = List.of(
            "godel/default/g1/u1",
            "godel/default/g2/u2",
            "godel/default/g1/uid-g1",
            "godel/default/p1/p1",
            "godel/default/p2/p2",
            "godel/other/p2/p2",
            "koordinator/r1",
            "koordinator/r2",
            "node-annotation/n1/rs-a",
            "preemption/p1",
            "globalreserve/p1/n1/batch",
            "x",
            "//",
            "koordinator/");
    private static final List<String> NONSENSE = List.of(
            "godel",
            "godel/",
            "godel//",
            "godel///",
            "godel/default/x/",
            "godel/default/z/ ",
            "godel/default/g1//",
            "godel/default/g1/u1/v",
            "preemption/",
            "globalreserve/",
            "node-annotation/",
            "godel/default/x/" + "u".repeat(5_000));

    private final Random dice;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private int versions;

    FuzzRandom(long seed) {
        this.dice = new Random(seed);
    }

    int nextInt(int bound) {
        return dice.nextInt(bound);
    }

    boolean nextBoolean() {
        return dice.nextBoolean();
    }

    boolean oneIn(int bound) {
        return dice.nextInt(bound) == 0;
    }

    @SafeVarargs
    final <T> T one(T... all) {
        return all[dice.nextInt(all.length)];
    }

    Instant now() {
        return now;
    }

    /** Lets up to so many seconds pass. */
    Instant pass(int seconds) {
        now = now.plusSeconds(dice.nextInt(seconds));
        return now;
    }

    String version() {
        return "v" + ++versions;
    }

    HoldId holdId() {
        return new HoldId(hold());
    }

    String hold() {
        List<String> texts = oneIn(4) ? NONSENSE : HOLDS;
        return texts.get(dice.nextInt(texts.size()));
    }

    Resources amount() {
        Resources size = Resources.of(
                ResourceName.CPU,
                one(0L, 1L, 1_000L, 2_000L, 4_000L, Long.MAX_VALUE, Long.MAX_VALUE / 2, Long.MAX_VALUE - 1));
        if (oneIn(6)) {
            size = size.with(ResourceName.MEMORY, one(1L, 1L << 30, 100L << 50, Long.MAX_VALUE / 100, Long.MAX_VALUE));
        }
        if (oneIn(8)) {
            size = size.with(new ResourceName("example.com/r" + dice.nextInt(1_000)), one(0L, 1L, Long.MAX_VALUE));
        }
        return oneIn(4) ? size.with(new ResourceName("example.com/gpu"), dice.nextInt(2)) : size;
    }
}
