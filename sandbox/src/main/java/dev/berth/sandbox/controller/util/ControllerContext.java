package dev.berth.sandbox.controller.util;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.informer.SharedInformerFactory;
import dev.berth.sandbox.client.record.EventRecorder;
import dev.berth.sandbox.client.record.EventSource;
import java.time.Instant;

/** What one controller works with: the shared mirrors, its writes, its events and the time. */
public record ControllerContext(
        LoopEnvironment environment,
        SharedInformerFactory sharedInformerFactory,
        WriteThroughClient writeThroughClient,
        EventRecorder recorder,
        EventSource source) {

    public static ControllerContext of(
            LoopEnvironment environment, SharedInformerFactory sharedInformerFactory, String controllerName) {
        return new ControllerContext(
                environment,
                sharedInformerFactory,
                new WriteThroughClient(environment.client(), sharedInformerFactory),
                new EventRecorder(environment.client(), environment.clock(), Runnable::run),
                EventSource.controller(controllerName));
    }

    public Instant now() {
        return environment.clock().instant();
    }

    public void recordNormal(ObjectNode involvedObject, String reason, String message) {
        recorder.normal(source, involvedObject, reason, message);
    }

    public void recordWarning(ObjectNode involvedObject, String reason, String message) {
        recorder.warning(source, involvedObject, reason, message);
    }
}
