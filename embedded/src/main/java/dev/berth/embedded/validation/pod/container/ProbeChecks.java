package dev.berth.embedded.validation.pod.container;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.items;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.object;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.meta.Names;
import dev.berth.embedded.validation.meta.ObjectMeta;
import dev.berth.embedded.validation.meta.Ports;
import java.util.List;

/** How a container is asked whether it lives, and what it does when it starts and stops. */
final class ProbeChecks {
    private static final List<String> COUNTS =
            List.of("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold");
    private static final List<String> PROBES = List.of("exec", "httpGet", "tcpSocket", "grpc");
    private static final List<String> HOOKS = List.of("exec", "httpGet", "tcpSocket", "sleep");

    private final PodContext pod;
    private final FieldErrors errors;

    ProbeChecks(PodContext pod, FieldErrors errors) {
        this.pod = pod;
        this.errors = errors;
    }

    void probe(ObjectNode probe, String kind, Path path) {
        handler(probe, PROBES, path);
        for (String count : COUNTS) {
            ObjectMeta.checkNotNegative(number(probe, count), path.child(count), errors);
        }
        boolean readiness = kind.equals("readinessProbe");
        if (has(probe, "terminationGracePeriodSeconds")) {
            long grace = number(probe, "terminationGracePeriodSeconds");
            Path here = path.child("terminationGracePeriodSeconds");
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

    void lifecycle(ObjectNode lifecycle, Path path) {
        for (String hook : List.of("postStart", "preStop")) {
            object(lifecycle, hook).ifPresent(found -> handler(found, HOOKS, path.child(hook)));
        }
        if (has(lifecycle, "stopSignal") && pod.operatingSystem().isEmpty()) {
            errors.forbidden(path.child("stopSignal"), "may not be set for containers with empty `spec.os.name`");
        }
    }

    private void handler(ObjectNode holder, List<String> kinds, Path path) {
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

    private void action(ObjectNode action, String kind, Path path) {
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
            default -> Ports.checkNumberOrName(at(action, "port"), path.child("port"), errors);
        }
    }

    private void httpGet(ObjectNode action, Path path) {
        if (text(action, "path").isEmpty()) {
            errors.required(path.child("path"));
        }
        Ports.checkNumberOrName(at(action, "port"), path.child("port"), errors);
        errors.oneOfOrNone(path.child("scheme"), text(action, "scheme"), List.of("HTTP", "HTTPS"));
        for (ObjectNode header : objects(action, "httpHeaders")) {
            String name = text(header, "name");
            if (!name.matches("[-A-Za-z0-9]+")) {
                errors.invalid(
                        path.child("httpHeaders"),
                        name,
                        Names.rule(
                                "a valid HTTP header must consist of alphanumeric characters or '-'",
                                "[-A-Za-z0-9]+",
                                "X-Header-Name"));
            }
        }
    }
}
