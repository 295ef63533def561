package dev.berth.kubernetes.watch;

import dev.berth.kubernetes.http2.Call;
import dev.berth.kubernetes.time.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** One list, watch or pause; what an abandoned one still says is not heard. */
class Attempt {
    private final Timer timer;
    private final InstantSource clock;
    private final Duration patience;
    private boolean abandoned;
    private Optional<Call> call = Optional.empty();
    private Timer.Task silence = Timer.Task.NONE;
    private Instant heard;

    Attempt(Timer timer, InstantSource clock, Duration patience) {
        this.timer = timer;
        this.clock = clock;
        this.patience = patience;
        this.heard = clock.instant();
    }

    final void call(Call under) {
        if (abandoned) {
            under.cancel();
        } else {
            call = Optional.of(under);
        }
    }

    final boolean present() {
        return !abandoned;
    }

    void abandon() {
        abandoned = true;
        silence.cancel();
        call.ifPresent(Call::cancel);
        call = Optional.empty();
    }

    final void heard() {
        heard = clock.instant();
    }

    /** What to do when it has been silent for too long. */
    void silent() {}

    void armSilence() {
        Duration left = Duration.between(clock.instant(), heard.plus(patience));
        if (left.isNegative() || left.isZero()) {
            silent();
        } else {
            silence = timer.after(left, () -> {
                if (present()) {
                    armSilence();
                }
            });
        }
    }
}
