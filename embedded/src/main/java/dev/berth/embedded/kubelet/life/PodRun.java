package dev.berth.embedded.kubelet.life;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** One pod's life on its node, from admission to its end. */
public final class PodRun {
    private static final Duration FIRST_BACKOFF = Duration.ofSeconds(10);
    private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(5);

    /** Where in its life the pod is. */
    public enum Stage {
        STARTING,
        RUNNING,
        /** Between the end of its containers and their next start. */
        BACKING_OFF,
        /** Over; the status says how. */
        ENDED
    }

    /** How the containers ended last. */
    public record Exit(int code, String reason, Instant startedAt, Instant finishedAt) {}

    private final String uid;
    private final String node;
    private final String address;
    private final Instant admittedAt;
    private Stage stage = Stage.STARTING;
    private Instant since;
    private int restarts;
    private Optional<Exit> exit = Optional.empty();
    private Optional<Instant> stopSeenAt = Optional.empty();
    private Optional<String> failure = Optional.empty();

    public PodRun(ObjectNode pod, String node, String address, Instant admittedAt) {
        this.uid = Meta.uid(pod);
        this.node = node;
        this.address = address;
        this.admittedAt = admittedAt;
        this.since = admittedAt;
    }

    /** The life of a pod that ran before this process began, as far as its status tells. */
    public static PodRun resumed(ObjectNode pod, String node, Instant now) {
        Instant admitted = Timestamps.read(Json.at(pod, "status", "startTime")).orElse(now);
        PodRun run = new PodRun(pod, node, Json.text(pod, "status", "podIP"), admitted);
        for (ObjectNode container : Json.objects(pod, "status", "containerStatuses")) {
            run.restarts = Math.max(run.restarts, Json.number(container, 0, "restartCount"));
            Optional<Instant> started = Timestamps.read(Json.at(container, "state", "running", "startedAt"));
            if (started.isPresent()) {
                run.stage = Stage.RUNNING;
                run.since = started.get();
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
    public Instant since() {
        return since;
    }

    public int restarts() {
        return restarts;
    }

    public Optional<Exit> exit() {
        return exit;
    }

    /** Why the pod was made to fail, when it was. */
    public Optional<String> failure() {
        return failure;
    }

    /** When the wish to stop was first seen here: the time to stop counts from then. */
    Instant stopSeenAt(Instant now) {
        if (stopSeenAt.isEmpty()) {
            stopSeenAt = Optional.of(now);
        }
        return stopSeenAt.get();
    }

    void run(Instant at) {
        if (stage == Stage.BACKING_OFF) {
            restarts++;
        }
        stage = Stage.RUNNING;
        since = at;
    }

    /** The containers end; they start again later when the pod's restart policy says so. */
    void exit(int code, Instant at, String restartPolicy) {
        noteExit(code, code == 0 ? "Completed" : "Error", at);
        boolean again = restartPolicy.equals("Always") || (restartPolicy.equals("OnFailure") && code != 0);
        stage = again ? Stage.BACKING_OFF : Stage.ENDED;
        since = at;
    }

    /** The pod fails for that reason. */
    void fail(String reason, Instant at) {
        failure = Optional.of(reason);
        end(1, "Error", at);
    }

    /** The pod ends for good. */
    void end(int code, String reason, Instant at) {
        if (stage == Stage.RUNNING || stage == Stage.STARTING) {
            noteExit(code, reason, at);
        }
        stage = Stage.ENDED;
        since = at;
    }

    private void noteExit(int code, String reason, Instant at) {
        exit = Optional.of(new Exit(code, reason, stage == Stage.RUNNING ? since : at, at));
    }

    /** How long the containers wait before their next start: the first time not at all, then ever longer. */
    public Duration backoff() {
        if (restarts == 0) {
            return Duration.ZERO;
        }
        Duration wait = FIRST_BACKOFF.multipliedBy(1L << Math.min(restarts - 1, 10));
        return wait.compareTo(LONGEST_BACKOFF) > 0 ? LONGEST_BACKOFF : wait;
    }
}
