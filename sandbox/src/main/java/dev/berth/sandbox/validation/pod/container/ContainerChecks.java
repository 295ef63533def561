package dev.berth.sandbox.validation.pod.container;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.number;
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

/** Checks the names, images, ports, resources and policies of containers and init containers. */
public final class ContainerChecks {
    private final FieldErrorList errors;

    public ContainerChecks(FieldErrorList errors) {
        this.errors = errors;
    }

    /** Checks {@code spec.containers}. */
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
            restartPolicy(container, here);
        });
        hostPorts(containers, path, new HashSet<>());
    }

    /** Checks {@code spec.initContainers}, including sidecars. */
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
        });
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
        errors.requireSupported(
                here.child("imagePullPolicy"),
                text(container, "imagePullPolicy"),
                List.of("Always", "IfNotPresent", "Never"));
        ResourceChecks.container(at(container, "resources"), here.child("resources"), errors);
        resizePolicies(objects(container, "resizePolicy"), here.child("resizePolicy"));
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
