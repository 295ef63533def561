package dev.berth.sandbox.validation.pod.container;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import dev.berth.sandbox.validation.meta.PortChecks;
import java.util.List;

/** How a container is asked whether it lives, and what it does when it starts and stops. */
final class ProbeChecks {
    private static final List<String> COUNTS =
            List.of("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold");
    private static final List<String> PROBES = List.of("exec", "httpGet", "tcpSocket", "grpc");
    private static final List<String> HOOKS = List.of("exec", "httpGet", "tcpSocket", "sleep");

    private final PodContext pod;
    private final FieldErrorList errors;

    ProbeChecks(PodContext pod, FieldErrorList errors) {
        this.pod = pod;
        this.errors = errors;
    }

    void probe(ObjectNode probe, String kind, FieldPath path) {
        handler(probe, PROBES, path);
        for (String count : COUNTS) {
            ObjectMetaChecks.checkNotNegative(number(probe, count), path.child(count), errors);
        }
        boolean readiness = kind.equals("readinessProbe");
        if (has(probe, "terminationGracePeriodSeconds")) {
            long grace = number(probe, "terminationGracePeriodSeconds");
            FieldPath here = path.child("terminationGracePeriodSeconds");
            if (grace <= 0) {
                errors.invalid(here, grace, "must be greater than 0");
            }
            if (readiness) {
                errors.invalid(here, grace, "must not be set for readinessProbes");
            }
        }
        long successes = number(probe, "successThreshold");
        if (!readiness && successes != 1) {
            errors.invalid(path.child("successThreshold"), successes, "must be 1");
        }
    }

    void lifecycle(ObjectNode lifecycle, FieldPath path) {
        for (String hook : List.of("postStart", "preStop")) {
            object(lifecycle, hook).ifPresent(found -> handler(found, HOOKS, path.child(hook)));
        }
        if (has(lifecycle, "stopSignal") && pod.operatingSystem().isEmpty()) {
            errors.forbidden(path.child("stopSignal"), "may not be set for containers with empty `spec.os.name`");
        }
    }

    private void handler(ObjectNode holder, List<String> kinds, FieldPath path) {
        boolean found = false;
        for (String kind : kinds) {
            ObjectNode action = object(holder, kind).orElse(null);
            if (action == null) {
                continue;
            }
            if (found) {
                errors.forbidden(path.child(kind), "may not specify more than 1 handler type");
            } else {
                action(action, kind, path.child(kind));
            }
            found = true;
        }
        if (!found) {
            errors.required(path, "must specify a handler type");
        }
    }

    private void action(ObjectNode action, String kind, FieldPath path) {
        switch (kind) {
            case "exec" -> {
                if (items(action, "command").isEmpty()) {
                    errors.required(path.child("command"));
                }
            }
            case "httpGet" -> httpGet(action, path);
            case "sleep" -> {
                long seconds = number(action, "seconds");
                if (seconds < 0 || seconds > pod.grace()) {
                    errors.invalid(
                            path,
                            seconds,
                            "must be non-negative and less than terminationGracePeriodSeconds (" + pod.grace() + ")");
                }
            }
            default -> PortChecks.checkNumberOrName(at(action, "port"), path.child("port"), errors);
        }
    }

    private void httpGet(ObjectNode action, FieldPath path) {
        if (text(action, "path").isEmpty()) {
            errors.required(path.child("path"));
        }
        PortChecks.checkNumberOrName(at(action, "port"), path.child("port"), errors);
        errors.requireSupportedOrEmpty(path.child("scheme"), text(action, "scheme"), List.of("HTTP", "HTTPS"));
        for (ObjectNode header : objects(action, "httpHeaders")) {
            String name = text(header, "name");
            if (!name.matches("[-A-Za-z0-9]+")) {
                errors.invalid(
                        path.child("httpHeaders"),
                        name,
                        NameChecks.ruleMessage(
                                "a valid HTTP header must consist of alphanumeric characters or '-'",
                                "[-A-Za-z0-9]+",
                                "X-Header-Name"));
            }
        }
    }
}
