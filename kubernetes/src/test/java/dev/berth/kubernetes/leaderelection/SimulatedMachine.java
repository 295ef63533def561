package dev.berth.kubernetes.leaderelection;

import dev.berth.kubernetes.time.Clocks;
import dev.berth.kubernetes.time.ManualTimer;
import dev.berth.kubernetes.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A machine in a world of its own time: its clock can be put forward and back, and it can sleep. */
final class SimulatedMachine implements TaskTimer {
    private final ManualTimer world;
    private final Instant bootTime;
    private final List<Runnable> runOnWake = new ArrayList<>();
    private Duration clockError = Duration.ZERO;
    private Duration slept = Duration.ZERO;
    private Optional<Instant> asleepSince = Optional.empty();

    SimulatedMachine(ManualTimer world) {
        this.world = world;
        // A ticker may begin below zero.
        this.bootTime = world.instant().plusSeconds(7);
    }

    Clocks clocks() {
        return new Clocks(() -> world.instant().plus(clockError), this::nanoTime);
    }

    void jumpClock(Duration forward) {
        clockError = clockError.plus(forward);
    }

    boolean isAsleep() {
        return asleepSince.isPresent();
    }

    /** Nothing runs any more and the ticker stands still; the clock of the day goes on. */
    void sleep() {
        asleepSince = Optional.of(world.instant());
    }

    /** Due tasks run in the next step of the simulation, so this machine may be called before. */
    void wake() {
        slept = slept.plus(Duration.between(asleepSince.orElseThrow(), world.instant()));
        asleepSince = Optional.empty();
        runOnWake.forEach(task -> world.schedule(Duration.ZERO, task));
        runOnWake.clear();
    }

    private long nanoTime() {
        return Duration.between(bootTime, asleepSince.orElse(world.instant()))
                .minus(slept)
                .toNanos();
    }

    @Override
    public ScheduledTask schedule(Duration delay, Runnable task) {
        return new DelayedTask(nanoTime() + delay.toNanos(), task);
    }

    private final class DelayedTask implements ScheduledTask {
        private final long tick;
        private final Runnable task;
        private boolean cancelled;

        private DelayedTask(long tick, Runnable task) {
            this.tick = tick;
            this.task = task;
            waitUntilDue();
        }

        private void waitUntilDue() {
            world.schedule(Duration.ofNanos(tick - nanoTime()), this::onDue);
        }

        private void onDue() {
            if (isAsleep()) {
                runOnWake.add(this::onDue);
            } else if (nanoTime() < tick) {
                waitUntilDue();
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
