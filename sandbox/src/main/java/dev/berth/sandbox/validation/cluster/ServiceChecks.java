package dev.berth.sandbox.validation.cluster;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.LabelChecks;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.PortChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks the type, the ports and the selector of Services. Nothing here routes traffic, so the rest is not checked. */
public final class ServiceChecks {
    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final List<String> TYPES = List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
    private final ObjectNode spec;
    private final String type;
    private final FieldErrorList errors;

    private ServiceChecks(ObjectNode service, FieldErrorList errors) {
        this.spec = object(service, "spec").orElseGet(service::objectNode);
        this.type = text(spec, "type");
        this.errors = errors;
    }

    public static void service(ObjectNode service, FieldErrorList errors) {
        new ServiceChecks(service, errors).check();
    }

    private boolean headless() {
        return texts(spec, "clusterIPs").stream().findFirst().orElse("").equals("None");
    }

    private void check() {
        List<ObjectNode> ports = objects(spec, "ports");
        if (ports.isEmpty() && !headless() && !type.equals("ExternalName")) {
            errors.required(SPEC.child("ports"));
        }
        Set<String> names = new HashSet<>();
        SPEC.child("ports").forEachIndexed(ports, (port, here) -> port(port, ports.size() > 1, names, here));
        LabelChecks.check(at(spec, "selector"), SPEC.child("selector"), errors);
        errors.requireSupported(SPEC.child("type"), type, TYPES);
        uniquePorts(ports);
    }

    private void port(ObjectNode port, boolean several, Set<String> names, FieldPath here) {
        String name = text(port, "name");
        if (name.isEmpty()) {
            if (several) {
                errors.required(here.child("name"));
            }
        } else {
            errors.invalid(here.child("name"), name, NameChecks.dnsLabel(name));
            if (!names.add(name)) {
                errors.duplicate(here.child("name"), name);
            }
        }
        PortChecks.checkNumber(number(port, "port"), here.child("port"), errors);
        errors.requireSupported(here.child("protocol"), text(port, "protocol"), PortChecks.PROTOCOLS);
        PortChecks.checkNumberOrName(at(port, "targetPort"), here.child("targetPort"), errors);
        if (has(port, "appProtocol")) {
            String protocol = text(port, "appProtocol");
            errors.invalid(here.child("appProtocol"), protocol, NameChecks.qualifiedName(protocol));
        }
    }

    private void uniquePorts(List<ObjectNode> ports) {
        Set<String> taken = new HashSet<>();
        SPEC.child("ports").forEachIndexed(ports, (port, here) -> {
            if (!taken.add(text(port, "protocol") + number(port, "port"))) {
                ObjectNode shown = JsonNodeFactory.instance.objectNode();
                shown.put("Name", "").put("Protocol", text(port, "protocol")).putNull("AppProtocol");
                shown.put("Port", number(port, "port")).put("TargetPort", 0).put("NodePort", 0);
                errors.duplicate(here, shown);
            }
        });
    }
}
