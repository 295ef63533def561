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
import dev.berth.sandbox.validation.meta.PortChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The containers of a pod, of all sorts. */
public final class ContainerChecks {
    private static final String SIDECARS_ONLY = "may not be set for init containers without restartPolicy=Always";

    private final PodContext pod;
    private final FieldErrorList errors;

    public ContainerChecks(PodContext pod, FieldErrorList errors) {
        this.pod = pod;
        this.errors = errors;
    }

    /** Checks the containers that run. */
    public void containers(List<ObjectNode> containers, FieldPath path) {
        if (containers.isEmpty()) {
            errors.required(path);
            return;
        }
        Set<String> names = new HashSet<>();
        path.forEachIndexed(containers, (container, here) -> {
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
    public void initContainers(List<ObjectNode> containers, List<ObjectNode> regular, FieldPath path) {
        Set<String> names = new HashSet<>();
        regular.forEach(container -> names.add(text(container, "name")));
        path.forEachIndexed(containers, (container, here) -> {
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

    private void hooksAndProbes(ObjectNode container, FieldPath here) {
        ProbeChecks probes = new ProbeChecks(pod, errors);
        object(container, "lifecycle").ifPresent(found -> probes.lifecycle(found, here.child("lifecycle")));
        for (String probe : List.of("livenessProbe", "readinessProbe", "startupProbe")) {
            object(container, probe).ifPresent(found -> probes.probe(found, probe, here.child(probe)));
        }
    }

    private void restartPolicy(ObjectNode container, FieldPath here) {
        String policy = text(container, "restartPolicy");
        if (policy.isEmpty() && !items(container, "restartPolicyRules").isEmpty()) {
            errors.required(here.child("restartPolicy"), "must specify restartPolicy when restart rules are used");
        }
        errors.requireSupportedOrEmpty(here.child("restartPolicy"), policy, List.of("Always", "Never", "OnFailure"));
    }

    private void common(ObjectNode container, FieldPath here) {
        String name = text(container, "name");
        if (name.isEmpty()) {
            errors.required(here.child("name"));
        } else {
            errors.invalid(here.child("name"), name, NameChecks.dnsLabel(name));
        }
        if (text(container, "image").isEmpty()) {
            errors.required(here.child("image"));
        }
        errors.requireSupported(
                here.child("terminationMessagePolicy"),
                text(container, "terminationMessagePolicy"),
                List.of("File", "FallbackToLogsOnError"));
        ports(objects(container, "ports"), here.child("ports"));
        new EnvironmentChecks(errors).check(container, here);
        new MountChecks(pod.volumes(), errors).check(container, here);
        errors.requireSupported(
                here.child("imagePullPolicy"),
                text(container, "imagePullPolicy"),
                List.of("Always", "IfNotPresent", "Never"));
        ResourceChecks.container(at(container, "resources"), pod.claims(), here.child("resources"), errors);
        resizePolicies(objects(container, "resizePolicy"), here.child("resizePolicy"));
        object(container, "securityContext")
                .ifPresent(found -> SecurityChecks.container(found, here.child("securityContext"), errors));
    }

    private void resizePolicies(List<ObjectNode> policies, FieldPath path) {
        Set<String> seen = new HashSet<>();
        path.forEachIndexed(policies, (policy, here) -> {
            String resource = text(policy, "resourceName");
            if (!seen.add(resource)) {
                errors.duplicate(here, resource);
            }
            errors.requireSupported(path, resource, List.of("cpu", "memory"));
            errors.requireSupported(path, text(policy, "restartPolicy"), List.of("NotRequired", "RestartContainer"));
        });
    }

    private void ports(List<ObjectNode> ports, FieldPath path) {
        Set<String> names = new HashSet<>();
        path.forEachIndexed(ports, (port, here) -> {
            String name = text(port, "name");
            if (!name.isEmpty()) {
                List<String> messages = NameChecks.portName(name);
                errors.invalid(here.child("name"), name, messages);
                if (messages.isEmpty() && !names.add(name)) {
                    errors.duplicate(here.child("name"), name);
                }
            }
            if (number(port, "containerPort") == 0) {
                errors.required(here.child("containerPort"));
            } else {
                PortChecks.checkNumber(number(port, "containerPort"), here.child("containerPort"), errors);
            }
            if (number(port, "hostPort") != 0) {
                PortChecks.checkNumber(number(port, "hostPort"), here.child("hostPort"), errors);
            }
            errors.requireSupported(here.child("protocol"), text(port, "protocol"), PortChecks.PROTOCOLS);
        });
    }

    private void hostPorts(List<ObjectNode> containers, FieldPath path, Set<String> taken) {
        path.forEachIndexed(
                containers,
                (container, here) -> here.child("ports").forEachIndexed(objects(container, "ports"), (port, at) -> {
                    long number = number(port, "hostPort");
                    String key = text(port, "protocol") + "/" + text(port, "hostIP") + "/" + number;
                    if (number != 0 && !taken.add(key)) {
                        errors.duplicate(at.child("hostPort"), key);
                    }
                }));
    }
}
