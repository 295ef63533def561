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
import dev.berth.embedded.validation.meta.Ports;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The containers of a pod, of all sorts. */
public final class ContainerChecks {
    private static final String SIDECARS_ONLY = "may not be set for init containers without restartPolicy=Always";

    private final PodContext pod;
    private final FieldErrors errors;

    public ContainerChecks(PodContext pod, FieldErrors errors) {
        this.pod = pod;
        this.errors = errors;
    }

    /** Checks the containers that run. */
    public void containers(List<ObjectNode> containers, Path path) {
        if (containers.isEmpty()) {
            errors.required(path);
            return;
        }
        Set<String> names = new HashSet<>();
        path.each(containers, (container, here) -> {
            common(container, here);
            if (!names.add(text(container, "name"))) {
                errors.duplicate(here.child("name"), text(container, "name"));
            }
            hooksAndProbes(container, here);
            restartPolicy(container, here);
        });
        hostPorts(containers, path, new HashSet<>());
    }

    /** Checks those that run before them, also the ones that go on beside them. */
    public void initContainers(List<ObjectNode> containers, List<ObjectNode> regular, Path path) {
        Set<String> names = new HashSet<>();
        regular.forEach(container -> names.add(text(container, "name")));
        path.each(containers, (container, here) -> {
            common(container, here);
            restartPolicy(container, here);
            if (!names.add(text(container, "name"))) {
                errors.duplicate(here.child("name"), text(container, "name"));
            }
            hostPorts(List.of(container), path, new HashSet<>());
            if (text(container, "restartPolicy").equals("Always")) {
                hooksAndProbes(container, here);
                return;
            }
            for (String field : List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")) {
                if (has(container, field)) {
                    errors.forbidden(here.child(field), SIDECARS_ONLY);
                }
            }
        });
    }

    private void hooksAndProbes(ObjectNode container, Path here) {
        ProbeChecks probes = new ProbeChecks(pod, errors);
        object(container, "lifecycle").ifPresent(found -> probes.lifecycle(found, here.child("lifecycle")));
        for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            object(container, probe).ifPresent(found -> probes.probe(found, probe, here.child(probe)));
        }
    }

    private void restartPolicy(ObjectNode container, Path here) {
        String policy = text(container, "restartPolicy");
        if (policy.isEmpty() && !items(container, "restartPolicyRules").isEmpty()) {
            errors.required(here.child("restartPolicy"), "must specify restartPolicy when restart rules are used");
        }
        errors.oneOfOrNone(here.child("restartPolicy"), policy, List.of("Always", "Never", "OnFailure"));
    }

    private void common(ObjectNode container, Path here) {
        String name = text(container, "name");
        if (name.isEmpty()) {
            errors.required(here.child("name"));
        } else {
            errors.invalid(here.child("name"), name, Names.label(name));
        }
        if (text(container, "image").isEmpty()) {
            errors.required(here.child("image"));
        }
        errors.oneOf(
                here.child("terminationMessagePolicy"),
                text(container, "terminationMessagePolicy"),
                List.of("File", "FallbackToLogsOnError"));
        ports(objects(container, "ports"), here.child("ports"));
        new EnvironmentChecks(errors).check(container, here);
        new MountChecks(pod.volumes(), errors).check(container, here);
        errors.oneOf(
                here.child("imagePullPolicy"),
                text(container, "imagePullPolicy"),
                List.of("Always", "IfNotPresent", "Never"));
        ResourceChecks.container(at(container, "resources"), pod.claims(), here.child("resources"), errors);
        resizePolicies(objects(container, "resizePolicy"), here.child("resizePolicy"));
        object(container, "securityContext")
                .ifPresent(found -> SecurityChecks.container(found, here.child("securityContext"), errors));
    }

    private void resizePolicies(List<ObjectNode> policies, Path path) {
        Set<String> seen = new HashSet<>();
        path.each(policies, (policy, here) -> {
            String resource = text(policy, "resourceName");
            if (!seen.add(resource)) {
                errors.duplicate(here, resource);
            }
            errors.oneOf(path, resource, List.of("cpu", "memory"));
            errors.oneOf(path, text(policy, "restartPolicy"), List.of("NotRequired", "RestartContainer"));
        });
    }

    private void ports(List<ObjectNode> ports, Path path) {
        Set<String> names = new HashSet<>();
        path.each(ports, (port, here) -> {
            String name = text(port, "name");
            if (!name.isEmpty()) {
                List<String> messages = Names.portName(name);
                errors.invalid(here.child("name"), name, messages);
                if (messages.isEmpty() && !names.add(name)) {
                    errors.duplicate(here.child("name"), name);
                }
            }
            if (number(port, "containerPort") == 0) {
                errors.required(here.child("containerPort"));
            } else {
                Ports.checkNumber(number(port, "containerPort"), here.child("containerPort"), errors);
            }
            if (number(port, "hostPort") != 0) {
                Ports.checkNumber(number(port, "hostPort"), here.child("hostPort"), errors);
            }
            errors.oneOf(here.child("protocol"), text(port, "protocol"), Ports.PROTOCOLS);
        });
    }

    private void hostPorts(List<ObjectNode> containers, Path path, Set<String> taken) {
        path.each(
                containers,
                (container, here) -> here.child("ports").each(objects(container, "ports"), (port, at) -> {
                    long number = number(port, "hostPort");
                    String key = text(port, "protocol") + "/" + text(port, "hostIP") + "/" + number;
                    if (number != 0 && !taken.add(key)) {
                        errors.duplicate(at.child("hostPort"), key);
                    }
                }));
    }
}
