package dev.berth.embedded.workload.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.control.Mirrors;
import dev.berth.embedded.client.event.EventRecorder;
import dev.berth.embedded.client.event.EventSource;
import dev.berth.embedded.client.mirror.Environment;
import java.time.Instant;

/** What one controller works with: the shared mirrors, its writes, its events and the time. */
public record Workspace(
        Environment environment, Mirrors mirrors, Writes writes, EventRecorder recorder, EventSource source) {

    public static Workspace of(Environment environment, Mirrors mirrors, String controllerName) {
        return new Workspace(
                environment,
                mirrors,
                new Writes(environment.client(), mirrors),
                new EventRecorder(environment.client(), environment.clock(), Runnable::run),
                EventSource.controller(controllerName));
    }

    public Instant now() {
        return environment.clock().instant();
    }

    public void normal(ObjectNode about, String reason, String message) {
        recorder.normal(source, about, reason, message);
    }

    public void warning(ObjectNode about, String reason, String message) {
        recorder.warning(source, about, reason, message);
    }
}
