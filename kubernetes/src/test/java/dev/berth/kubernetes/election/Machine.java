package dev.berth.kubernetes.election;

import dev.berth.kubernetes.time.Clocks;
import dev.berth.kubernetes.time.ManualTime;
import dev.berth.kubernetes.time.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A machine in a world of its own time: its clock can be put forward and back, and it can sleep. */
final class Machine implements Timer {
    private final ManualTime world;
    private final Instant boot;
    private final List<Runnable> whenAwake = new ArrayList<>();
    private Duration wrong = Duration.ZERO;
    private Duration slept = Duration.ZERO;
    private Optional<Instant> asleepSince = Optional.empty();

    Machine(ManualTime world) {
        this.world = world;
        // A ticker may begin below zero.
        this.boot = world.instant().plusSeconds(7);
    }

    Clocks clocks() {
        return new Clocks(() -> world.instant().plus(wrong), this::ticks);
    }

    void putClock(Duration forward) {
        wrong = wrong.plus(forward);
    }

    boolean asleep() {
        return asleepSince.isPresent();
    }

    /** Nothing runs any more and the ticker stands still; the clock of the day goes on. */
    void sleep() {
        asleepSince = Optional.of(world.instant());
    }

    /** What is due runs with the world's next step: so somebody may ask this machine before. */
    void wake() {
        slept = slept.plus(Duration.between(asleepSince.orElseThrow(), world.instant()));
        asleepSince = Optional.empty();
        whenAwake.forEach(task -> world.after(Duration.ZERO, task));
        whenAwake.clear();
    }

    private long ticks() {
        return Duration.between(boot, asleepSince.orElse(world.instant()))
                .minus(slept)
                .toNanos();
    }

    @Override
    public Task after(Duration delay, Runnable task) {
        return new Due(ticks() + delay.toNanos(), task);
    }

    private final class Due implements Task {
        private final long tick;
        private final Runnable task;
        private boolean cancelled;

        private Due(long tick, Runnable task) {
            this.tick = tick;
            this.task = task;
            await();
        }

        private void await() {
            world.after(Duration.ofNanos(tick - ticks()), this::come);
        }

        private void come() {
            if (asleep()) {
                whenAwake.add(this::come);
            } else if (ticks() < tick) {
                await();
            } else if (!cancelled) {
                task.run();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }
}
