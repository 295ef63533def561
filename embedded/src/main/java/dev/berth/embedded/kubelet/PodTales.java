package dev.berth.embedded.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.event.EventRecorder;
import dev.berth.embedded.client.event.EventSource;
import dev.berth.embedded.client.mirror.Environment;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Pods;
import dev.berth.embedded.kubelet.fit.Rejection;
import dev.berth.embedded.kubelet.life.PodRun;
import java.util.HashSet;
import java.util.Set;

/** The events that kubelets write about pods. */
final class PodTales {
    private final EventRecorder recorder;
    private final boolean lives;
    private final Set<String> stopping = new HashSet<>();

    /**
     * @param lives whether to tell of containers that start and stop; refusals are always told
     */
    PodTales(Environment environment, Outbox outbox, boolean lives) {
        this.recorder = new EventRecorder(environment.client(), environment.clock(), outbox.events());
        this.lives = lives;
    }

    private static EventSource kubelet(ObjectNode pod) {
        return new EventSource("kubelet", Pods.node(pod));
    }

    void rejected(ObjectNode pod, Rejection rejection) {
        recorder.warning(kubelet(pod), pod, rejection.reason(), rejection.message());
    }

    void misunderstood(ObjectNode pod, String message) {
        recorder.warning(kubelet(pod), pod, "InvalidSimulation", message);
    }

    void started(ObjectNode pod) {
        if (!lives) {
            return;
        }
        for (ObjectNode container : Json.objects(pod, "spec", "containers")) {
            String image = Json.text(container, "image");
            recorder.normal(
                    kubelet(pod),
                    pod,
                    "Pulled",
                    "Container image \"%s\" already present on machine and can be accessed by the pod"
                            .formatted(image));
            recorder.normal(kubelet(pod), pod, "Created", "Container created");
            recorder.normal(kubelet(pod), pod, "Started", "Container started");
        }
    }

    void stopping(ObjectNode pod, PodRun run) {
        if (!lives || run.stage() == PodRun.Stage.STARTING || !stopping.add(Meta.uid(pod))) {
            return;
        }
        for (ObjectNode container : Json.objects(pod, "spec", "containers")) {
            recorder.normal(kubelet(pod), pod, "Killing", "Stopping container " + Json.text(container, "name"));
        }
    }

    void forget(String uid) {
        stopping.remove(uid);
    }
}
