package dev.berth.sandbox.defaulting.kind;

import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultFlag;
import static dev.berth.sandbox.unstructured.NestedFields.setDefaultText;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The defaults of containers, init containers and ephemeral containers. */
final class ContainerDefaults {
    private ContainerDefaults() {}

    static void apply(ObjectNode container) {
        setDefaultText(
                container, "imagePullPolicy", ImageName.isLatest(text(container, "image")) ? "Always" : "IfNotPresent");
        setDefaultText(container, "terminationMessagePath", "/dev/termination-log");
        setDefaultText(container, "terminationMessagePolicy", "File");
        objects(container, "ports").forEach(port -> setDefaultText(port, "protocol", "TCP"));
        objects(container, "env").forEach(ContainerDefaults::environment);
        for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            object(container, probe).ifPresent(ContainerDefaults::probe);
        }
        for (String hook : List.of("postStart", "preStop")) {
            object(container, "lifecycle", hook, "httpGet").ifPresent(ContainerDefaults::httpGet);
        }
        object(container, "resources").ifPresent(ResourceDefaults::round);
    }

    private static void environment(ObjectNode variable) {
        object(variable, "valueFrom", "fieldRef").ifPresent(ref -> setDefaultText(ref, "apiVersion", "v1"));
        object(variable, "valueFrom", "fileKeyRef").ifPresent(ref -> setDefaultFlag(ref, "optional", false));
    }

    private static void probe(ObjectNode probe) {
        setDefaultIfZero(probe, "timeoutSeconds", 1);
        setDefaultIfZero(probe, "periodSeconds", 10);
        setDefaultIfZero(probe, "successThreshold", 1);
        setDefaultIfZero(probe, "failureThreshold", 3);
        object(probe, "httpGet").ifPresent(ContainerDefaults::httpGet);
        object(probe, "grpc").ifPresent(grpc -> setDefaultText(grpc, "service", ""));
    }

    private static void setDefaultIfZero(ObjectNode parent, String name, int value) {
        if (number(parent, name) == 0) {
            parent.put(name, value);
        }
    }

    private static void httpGet(ObjectNode action) {
        setDefaultText(action, "path", "/");
        setDefaultText(action, "scheme", "HTTP");
    }
}
