package dev.berth.embedded.kubelet.life;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Lets time pass for a pod: what its instructions say happens when its hour has come. */
public final class PodTime {
    private static final int KILLED = 137;
    private static final int DEFAULT_GRACE = 30;

    private final ObjectNode pod;
    private final PodRun run;
    private final Instructions instructions;
    private final Duration stopTime;

    /**
     * @param stopTime how long the pod takes to stop unless it says so itself
     */
    public PodTime(ObjectNode pod, PodRun run, Instructions instructions, Duration stopTime) {
        this.pod = pod;
        this.run = run;
        this.instructions = instructions;
        this.stopTime = stopTime;
    }

    /** Brings the run up to the present and says when something happens next. */
    public Optional<Instant> pass(Instant now) {
        Optional<Instant> next = nextStep(now);
        while (next.isPresent() && !next.get().isAfter(now)) {
            take(next.get());
            next = nextStep(now);
        }
        return next.or(() -> readyAt().filter(at -> at.isAfter(now)));
    }

    public boolean ready(Instant now) {
        return readyAt().filter(at -> !at.isAfter(now)).isPresent();
    }

    private Optional<Instant> readyAt() {
        return run.stage() == PodRun.Stage.RUNNING
                ? instructions.readyAfter().map(run.since()::plus)
                : Optional.empty();
    }

    private Optional<Instant> nextStep(Instant now) {
        if (run.stage() == PodRun.Stage.ENDED) {
            return Optional.empty();
        }
        if (instructions.fail().isPresent()) {
            return Optional.of(now);
        }
        if (Meta.terminating(pod)) {
            Duration grace = grace();
            Duration wanted = stopTime();
            return Optional.of(run.stopSeenAt(now).plus(wanted.compareTo(grace) < 0 ? wanted : grace));
        }
        return switch (run.stage()) {
            case STARTING -> Optional.of(run.since().plus(instructions.startAfter()));
            case RUNNING -> instructions.exitAfter().map(run.since()::plus);
            case BACKING_OFF -> Optional.of(run.since().plus(run.backoff()));
            case ENDED -> Optional.empty();
        };
    }

    private void take(Instant at) {
        if (instructions.fail().isPresent()) {
            run.fail(instructions.fail().get(), at);
        } else if (Meta.terminating(pod)) {
            boolean killed = stopTime().compareTo(grace()) > 0;
            run.end(killed ? KILLED : 0, killed ? "Error" : "Completed", at);
        } else if (run.stage() == PodRun.Stage.RUNNING) {
            run.exit(instructions.exitCode(), at, restartPolicy());
        } else {
            run.run(at);
        }
    }

    private String restartPolicy() {
        String policy = Json.text(pod, "spec", "restartPolicy");
        return policy.isEmpty() ? "Always" : policy;
    }

    private Duration stopTime() {
        return instructions.stopAfter().orElse(stopTime);
    }

    private Duration grace() {
        return Duration.ofSeconds(Json.number(pod, DEFAULT_GRACE, "metadata", "deletionGracePeriodSeconds"));
    }
}
