package dev.berth.embedded.kubelet.life;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Timestamps;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;

/** The status of one container. */
final class ContainerStatus {
    private final PodRun run;
    private final String name;
    private final String image;
    private final ObjectNode status = Json.object();

    ContainerStatus(PodRun run, ObjectNode container) {
        this.run = run;
        this.name = Json.text(container, "name");
        this.image = Json.text(container, "image");
    }

    ObjectNode waiting(String reason, String message) {
        ObjectNode waiting = begin().putObject("waiting").put("reason", reason);
        if (!message.isEmpty()) {
            waiting.put("message", message);
        }
        return finish(false, false, "");
    }

    ObjectNode running(Instant since, boolean ready) {
        begin().putObject("running").put("startedAt", Timestamps.seconds(since));
        return finish(ready, true, id(run.restarts()));
    }

    ObjectNode backingOff(String namespace, String pod) {
        ObjectNode waiting = begin().putObject("waiting");
        waiting.put("reason", "CrashLoopBackOff");
        waiting.put(
                "message",
                "back-off %ds restarting failed container=%s pod=%s_%s(%s)"
                        .formatted(run.backoff().toSeconds(), name, pod, namespace, run.uid()));
        return finish(false, false, id(run.restarts()));
    }

    ObjectNode ended() {
        ObjectNode state = begin();
        run.exit().ifPresent(exit -> state.set("terminated", terminated(exit, run.restarts())));
        return finish(false, false, id(run.restarts()));
    }

    /** An init container that did its work when the pod was admitted. */
    ObjectNode completed(Instant at) {
        begin().set("terminated", terminated(new PodRun.Exit(0, "Completed", at, at), 0));
        return finish(true, false, id(0));
    }

    private ObjectNode begin() {
        status.put("name", name);
        return status.putObject("state");
    }

    private ObjectNode finish(boolean ready, boolean started, String id) {
        ObjectNode last = status.putObject("lastState");
        if (run.stage() != PodRun.Stage.ENDED
                && run.restarts() + (run.stage() == PodRun.Stage.BACKING_OFF ? 1 : 0) > 0) {
            int which = run.stage() == PodRun.Stage.BACKING_OFF ? run.restarts() : run.restarts() - 1;
            run.exit().ifPresent(exit -> last.set("terminated", terminated(exit, which)));
        }
        status.put("ready", ready).put("restartCount", run.restarts());
        status.put("image", image)
                .put("imageID", id.isEmpty() ? "" : "simulated://" + image + "@sha256:" + hash(image));
        if (!id.isEmpty()) {
            status.put("containerID", id);
        }
        return status.put("started", started);
    }

    private ObjectNode terminated(PodRun.Exit exit, int which) {
        return Json.object()
                .put("exitCode", exit.code())
                .put("reason", exit.reason())
                .put("startedAt", Timestamps.seconds(exit.startedAt()))
                .put("finishedAt", Timestamps.seconds(exit.finishedAt()))
                .put("containerID", id(which));
    }

    private String id(int which) {
        return "simulated://" + hash(run.uid() + "/" + name + "/" + which);
    }

    private static String hash(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
