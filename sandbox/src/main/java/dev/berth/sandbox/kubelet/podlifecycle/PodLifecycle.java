package dev.berth.sandbox.kubelet.podlifecycle;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Advances a pod in time by its simulation annotations. */
public final class PodLifecycle {
    private static final int KILLED_EXIT_CODE = 137;
    private static final int DEFAULT_GRACE_SECONDS = 30;

    private final ObjectNode pod;
    private final PodRuntimeState run;
    private final SimulationAnnotations simulationAnnotations;
    private final Duration stopTime;

    /**
     * @param stopTime how long the pod takes to stop, unless its annotation says otherwise
     */
    public PodLifecycle(
            ObjectNode pod, PodRuntimeState run, SimulationAnnotations simulationAnnotations, Duration stopTime) {
        this.pod = pod;
        this.run = run;
        this.simulationAnnotations = simulationAnnotations;
        this.stopTime = stopTime;
    }

    /** Advances the pod to the current time, and returns when the next change is due. */
    public Optional<Instant> advanceTo(Instant now) {
        Optional<Instant> next = nextTransition(now);
        while (next.isPresent() && !next.get().isAfter(now)) {
            transition(next.get());
            next = nextTransition(now);
        }
        return next.or(() -> readyAt().filter(at -> at.isAfter(now)));
    }

    public boolean isReady(Instant now) {
        return readyAt().filter(at -> !at.isAfter(now)).isPresent();
    }

    private Optional<Instant> readyAt() {
        return run.stage() == PodRuntimeState.Stage.RUNNING
                ? simulationAnnotations.readyAfter().map(run.stageSince()::plus)
                : Optional.empty();
    }

    private Optional<Instant> nextTransition(Instant now) {
        if (run.stage() == PodRuntimeState.Stage.TERMINATED) {
            return Optional.empty();
        }
        if (simulationAnnotations.failureReason().isPresent()) {
            return Optional.of(now);
        }
        if (ObjectMetaReader.isTerminating(pod)) {
            Duration grace = grace();
            Duration wanted = stopTime();
            return Optional.of(run.deletionSeenAt(now).plus(wanted.compareTo(grace) < 0 ? wanted : grace));
        }
        return switch (run.stage()) {
            case STARTING -> Optional.of(run.stageSince().plus(simulationAnnotations.startAfter()));
            case RUNNING -> simulationAnnotations.exitAfter().map(run.stageSince()::plus);
            case CRASH_LOOP_BACK_OFF -> Optional.of(run.stageSince().plus(run.backoff()));
            case TERMINATED -> Optional.empty();
        };
    }

    private void transition(Instant at) {
        if (simulationAnnotations.failureReason().isPresent()) {
            run.fail(simulationAnnotations.failureReason().get(), at);
        } else if (ObjectMetaReader.isTerminating(pod)) {
            boolean killed = stopTime().compareTo(grace()) > 0;
            run.terminate(killed ? KILLED_EXIT_CODE : 0, killed ? "Error" : "Completed", at);
        } else if (run.stage() == PodRuntimeState.Stage.RUNNING) {
            run.exitContainers(simulationAnnotations.exitCode(), at, restartPolicy());
        } else {
            run.startContainers(at);
        }
    }

    private String restartPolicy() {
        String policy = NestedFields.text(pod, "spec", "restartPolicy");
        return policy.isEmpty() ? "Always" : policy;
    }

    private Duration stopTime() {
        return simulationAnnotations.stopAfter().orElse(stopTime);
    }

    private Duration grace() {
        return Duration.ofSeconds(
                NestedFields.intValue(pod, DEFAULT_GRACE_SECONDS, "metadata", "deletionGracePeriodSeconds"));
    }
}
