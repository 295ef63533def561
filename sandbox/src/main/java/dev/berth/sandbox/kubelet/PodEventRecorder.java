package dev.berth.sandbox.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.record.EventRecorder;
import dev.berth.sandbox.client.record.EventSource;
import dev.berth.sandbox.kubelet.podadmission.Rejection;
import dev.berth.sandbox.kubelet.podlifecycle.PodRuntimeState;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.Pods;
import java.util.HashSet;
import java.util.Set;

/** The events that kubelets write about pods. */
final class PodEventRecorder {
    private final EventRecorder recorder;
    private final boolean recordsLifecycle;
    private final Set<String> reportedKilling = new HashSet<>();

    /**
     * @param recordsLifecycle whether to record the start and stop of containers; rejections are always recorded
     */
    PodEventRecorder(LoopEnvironment environment, AsyncWriter asyncWriter, boolean recordsLifecycle) {
        this.recorder = new EventRecorder(environment.client(), environment.clock(), asyncWriter.eventExecutor());
        this.recordsLifecycle = recordsLifecycle;
    }

    private static EventSource kubelet(ObjectNode pod) {
        return new EventSource("kubelet", Pods.nodeName(pod));
    }

    void recordRejected(ObjectNode pod, Rejection rejection) {
        recorder.warning(kubelet(pod), pod, rejection.reason(), rejection.message());
    }

    void recordInvalidAnnotation(ObjectNode pod, String message) {
        recorder.warning(kubelet(pod), pod, "InvalidSimulation", message);
    }

    void recordStarted(ObjectNode pod) {
        if (!recordsLifecycle) {
            return;
        }
        for (ObjectNode container : NestedFields.objects(pod, "spec", "containers")) {
            String image = NestedFields.text(container, "image");
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

    void recordKilling(ObjectNode pod, PodRuntimeState run) {
        if (!recordsLifecycle
                || run.stage() == PodRuntimeState.Stage.STARTING
                || !reportedKilling.add(ObjectMetaReader.uid(pod))) {
            return;
        }
        for (ObjectNode container : NestedFields.objects(pod, "spec", "containers")) {
            recorder.normal(kubelet(pod), pod, "Killing", "Stopping container " + NestedFields.text(container, "name"));
        }
    }

    void forget(String uid) {
        reportedKilling.remove(uid);
    }
}
