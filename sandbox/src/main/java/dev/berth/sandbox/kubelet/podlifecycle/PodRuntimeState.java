package dev.berth.sandbox.kubelet.podlifecycle;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** One pod's life on its node, from admission to its end. */
public final class PodRuntimeState {
    private static final Duration INITIAL_BACKOFF = Duration.ofSeconds(10);
    private static final Duration MAX_BACKOFF = Duration.ofMinutes(5);

    /** Where in its life the pod is. */
    public enum Stage {
        STARTING,
        RUNNING,
        /** Between the end of its containers and their next start. */
        CRASH_LOOP_BACK_OFF,
        /** Over; the status says how. */
        TERMINATED
    }

    /** How the containers ended last. */
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

    /** The life of a pod that ran before this process began, as far as its status tells. */
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

    /** When the present stage began. */
    public Instant stageSince() {
        return stageSince;
    }

    public int restarts() {
        return restarts;
    }

    public Optional<ContainerExit> exit() {
        return exit;
    }

    /** Why the pod was made to fail, when it was. */
    public Optional<String> failure() {
        return failure;
    }

    /** When the wish to stop was first seen here: the time to stop counts from then. */
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

    /** The containers end; they start again later when the pod's restart policy says so. */
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

    /** The pod ends for good. */
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

    /** How long the containers wait before their next start: the first time not at all, then ever longer. */
    public Duration backoff() {
        if (restarts == 0) {
            return Duration.ZERO;
        }
        Duration wait = INITIAL_BACKOFF.multipliedBy(1L << Math.min(restarts - 1, 10));
        return wait.compareTo(MAX_BACKOFF) > 0 ? MAX_BACKOFF : wait;
    }
}
