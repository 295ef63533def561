package dev.berth.sandbox.kubelet.podlifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;

/** The status of one container. */
final class ContainerStatusBuilder {
    private final PodRuntimeState run;
    private final String name;
    private final String image;
    private final ObjectNode status = NestedFields.newObject();

    ContainerStatusBuilder(PodRuntimeState run, ObjectNode container) {
        this.run = run;
        this.name = NestedFields.text(container, "name");
        this.image = NestedFields.text(container, "image");
    }

    ObjectNode waiting(String reason, String message) {
        ObjectNode waiting = startStatus().putObject("waiting").put("reason", reason);
        if (!message.isEmpty()) {
            waiting.put("message", message);
        }
        return finishStatus(false, false, "");
    }

    ObjectNode running(Instant since, boolean ready) {
        startStatus().putObject("running").put("startedAt", TimestampFormat.formatTime(since));
        return finishStatus(ready, true, containerId(run.restarts()));
    }

    ObjectNode crashLoopBackOff(String namespace, String pod) {
        ObjectNode waiting = startStatus().putObject("waiting");
        waiting.put("reason", "CrashLoopBackOff");
        waiting.put(
                "message",
                "back-off %ds restarting failed container=%s pod=%s_%s(%s)"
                        .formatted(run.backoff().toSeconds(), name, pod, namespace, run.uid()));
        return finishStatus(false, false, containerId(run.restarts()));
    }

    ObjectNode terminatedForGood() {
        ObjectNode state = startStatus();
        run.exit().ifPresent(exit -> state.set("terminated", terminatedState(exit, run.restarts())));
        return finishStatus(false, false, containerId(run.restarts()));
    }

    /** An init container that did its work when the pod was admitted. */
    ObjectNode completedInit(Instant at) {
        startStatus().set("terminated", terminatedState(new PodRuntimeState.ContainerExit(0, "Completed", at, at), 0));
        return finishStatus(true, false, containerId(0));
    }

    private ObjectNode startStatus() {
        status.put("name", name);
        return status.putObject("state");
    }

    private ObjectNode finishStatus(boolean ready, boolean started, String id) {
        ObjectNode last = status.putObject("lastState");
        if (run.stage() != PodRuntimeState.Stage.TERMINATED
                && run.restarts() + (run.stage() == PodRuntimeState.Stage.CRASH_LOOP_BACK_OFF ? 1 : 0) > 0) {
            int attempt =
                    run.stage() == PodRuntimeState.Stage.CRASH_LOOP_BACK_OFF ? run.restarts() : run.restarts() - 1;
            run.exit().ifPresent(exit -> last.set("terminated", terminatedState(exit, attempt)));
        }
        status.put("ready", ready).put("restartCount", run.restarts());
        status.put("image", image)
                .put("imageID", id.isEmpty() ? "" : "simulated://" + image + "@sha256:" + hash(image));
        if (!id.isEmpty()) {
            status.put("containerID", id);
        }
        return status.put("started", started);
    }

    private ObjectNode terminatedState(PodRuntimeState.ContainerExit exit, int attempt) {
        return NestedFields.newObject()
                .put("exitCode", exit.code())
                .put("reason", exit.reason())
                .put("startedAt", TimestampFormat.formatTime(exit.startedAt()))
                .put("finishedAt", TimestampFormat.formatTime(exit.finishedAt()))
                .put("containerID", containerId(attempt));
    }

    private String containerId(int attempt) {
        return "simulated://" + hash(run.uid() + "/" + name + "/" + attempt);
    }

    private static String hash(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
