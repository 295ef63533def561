package dev.berth.sandbox.kubelet.podlifecycle;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The runtime state of one pod, from admission to the end. */
public final class PodRuntimeState {
    private static final Duration INITIAL_BACKOFF = Duration.ofSeconds(10);
    private static final Duration MAX_BACKOFF = Duration.ofMinutes(5);

    /** The stage of the pod. */
    public enum Stage {
        STARTING,
        RUNNING,
        /** The containers have exited and wait for a restart. */
        CRASH_LOOP_BACK_OFF,
        /** Finished; the status has the result. */
        TERMINATED
    }

    /** The last termination of the containers. */
    public record ContainerExit(int code, String reason, Instant startedAt, Instant finishedAt) {}

    private final String uid;
    private final String node;
    private final String address;
    private final Instant admittedAt;
    private Stage stage = Stage.STARTING;
    private Instant stageSince;
    private int restarts;
    private Optional<ContainerExit> exit = Optional.empty();
    private Optional<Instant> deletionSeenAt = Optional.empty();
    private Optional<String> failure = Optional.empty();

    public PodRuntimeState(ObjectNode pod, String node, String address, Instant admittedAt) {
        this.uid = ObjectMetaReader.uid(pod);
        this.node = node;
        this.address = address;
        this.admittedAt = admittedAt;
        this.stageSince = admittedAt;
    }

    /** Restores the state of a pod from its status after a restart of this process. */
    public static PodRuntimeState fromStatus(ObjectNode pod, String node, Instant now) {
        Instant admitted = TimestampFormat.parse(NestedFields.at(pod, "status", "startTime"))
                .orElse(now);
        PodRuntimeState run = new PodRuntimeState(pod, node, NestedFields.text(pod, "status", "podIP"), admitted);
        for (ObjectNode container : NestedFields.objects(pod, "status", "containerStatuses")) {
            run.restarts = Math.max(run.restarts, NestedFields.intValue(container, 0, "restartCount"));
            Optional<Instant> started =
                    TimestampFormat.parse(NestedFields.at(container, "state", "running", "startedAt"));
            if (started.isPresent()) {
                run.stage = Stage.RUNNING;
                run.stageSince = started.get();
            }
        }
        return run;
    }

    public String uid() {
        return uid;
    }

    public String node() {
        return node;
    }

    public String address() {
        return address;
    }

    public Instant admittedAt() {
        return admittedAt;
    }

    public Stage stage() {
        return stage;
    }

    /** When the current stage began. */
    public Instant stageSince() {
        return stageSince;
    }

    public int restarts() {
        return restarts;
    }

    public Optional<ContainerExit> exit() {
        return exit;
    }

    /** The failure reason, if the pod failed by annotation. */
    public Optional<String> failure() {
        return failure;
    }

    /** When the deletion was first observed: the stop time counts from then. */
    Instant deletionSeenAt(Instant now) {
        if (deletionSeenAt.isEmpty()) {
            deletionSeenAt = Optional.of(now);
        }
        return deletionSeenAt.get();
    }

    void startContainers(Instant at) {
        if (stage == Stage.CRASH_LOOP_BACK_OFF) {
            restarts++;
        }
        stage = Stage.RUNNING;
        stageSince = at;
    }

    /** The containers exit. They restart later if the restart policy says so. */
    void exitContainers(int code, Instant at, String restartPolicy) {
        recordExit(code, code == 0 ? "Completed" : "Error", at);
        boolean again = restartPolicy.equals("Always") || (restartPolicy.equals("OnFailure") && code != 0);
        stage = again ? Stage.CRASH_LOOP_BACK_OFF : Stage.TERMINATED;
        stageSince = at;
    }

    /** The pod fails for that reason. */
    void fail(String reason, Instant at) {
        failure = Optional.of(reason);
        terminate(1, "Error", at);
    }

    /** The pod finishes. */
    void terminate(int code, String reason, Instant at) {
        if (stage == Stage.RUNNING || stage == Stage.STARTING) {
            recordExit(code, reason, at);
        }
        stage = Stage.TERMINATED;
        stageSince = at;
    }

    private void recordExit(int code, String reason, Instant at) {
        exit = Optional.of(new ContainerExit(code, reason, stage == Stage.RUNNING ? stageSince : at, at));
    }

    /** How long the containers wait before their next start: no wait for the first restart, then a growing back-off. */
    public Duration backoff() {
        if (restarts == 0) {
            return Duration.ZERO;
        }
        Duration wait = INITIAL_BACKOFF.multipliedBy(1L << Math.min(restarts - 1, 10));
        return wait.compareTo(MAX_BACKOFF) > 0 ? MAX_BACKOFF : wait;
    }
}
