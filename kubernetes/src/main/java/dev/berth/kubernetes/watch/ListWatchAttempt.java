package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.http2.Cancellable;
import dev.berth.kubernetes.time.TaskTimer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** One list, watch or pause. Callbacks of an abandoned attempt are ignored. */
class ListWatchAttempt {
    private final TaskTimer timer;
    private final InstantSource clock;
    private final Duration idleTimeout;
    private boolean abandoned;
    private Optional<Cancellable> cancellable = Optional.empty();
    private TaskTimer.ScheduledTask idleTask = TaskTimer.ScheduledTask.NONE;
    private Instant lastActivity;

    ListWatchAttempt(TaskTimer timer, InstantSource clock, Duration idleTimeout) {
        this.timer = timer;
        this.clock = clock;
        this.idleTimeout = idleTimeout;
        this.lastActivity = clock.instant();
    }

    final void attach(Cancellable under) {
        if (abandoned) {
            under.cancel();
        } else {
            cancellable = Optional.of(under);
        }
    }

    final boolean isCurrent() {
        return !abandoned;
    }

    void abandon() {
        abandoned = true;
        idleTask.cancel();
        cancellable.ifPresent(Cancellable::cancel);
        cancellable = Optional.empty();
    }

    final void markActivity() {
        lastActivity = clock.instant();
    }

    /** Called after an idle timeout. */
    void onIdle() {}

    void armIdleTimeout() {
        Duration left = Duration.between(clock.instant(), lastActivity.plus(idleTimeout));
        if (left.isNegative() || left.isZero()) {
            onIdle();
        } else {
            idleTask = timer.schedule(left, () -> {
                if (isCurrent()) {
                    armIdleTimeout();
                }
            });
        }
    }
}
