package dev.berth.app.run;

import java.time.InstantSource;

/** Steady clocks over other clocks than the machine's. */
public final class SteadyClocks {
    private SteadyClocks() {}

    public static InstantSource over(InstantSource wall) {
        return new SteadyClock(wall, System::nanoTime);
    }
}
