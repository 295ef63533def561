package dev.berth.sandbox.validation.cluster;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.object;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.IpAddresses;
import dev.berth.sandbox.validation.meta.LabelChecks;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.PortChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Services. */
public final class ServiceChecks {
    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final List<String> TYPES = List.of("ClusterIP", "ExternalName", "LoadBalancer", "NodePort");
    private static final int ONE_DAY = 86400;

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
        byType();
        Set<String> names = new HashSet<>();
        SPEC.child("ports").forEachIndexed(ports, (port, here) -> port(port, ports.size() > 1, names, here));
        LabelChecks.check(at(spec, "selector"), SPEC.child("selector"), errors);
        affinity();
        if (!type.equals("ExternalName")) {
            new ServiceAddressChecks(spec, errors).check();
        }
        SPEC.child("externalIPs").forEachIndexed(texts(spec, "externalIPs"), this::external);
        errors.requireSupported(SPEC.child("type"), type, TYPES);
        nodePorts(ports);
        uniquePorts(ports);
        balancer();
        traffic();
    }

    private void byType() {
        boolean opened = type.equals("LoadBalancer") || type.equals("NodePort");
        if (opened && headless()) {
            errors.invalid(
                    SPEC.child("clusterIPs").index(0), "None", "may not be set to 'None' for " + type + " services");
        }
        if (!type.equals("ExternalName")) {
            return;
        }
        for (String field : List.of("clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
            if (has(spec, field)) {
                errors.forbidden(SPEC.child(field), "may not be set for ExternalName services");
            }
        }
        String name = text(spec, "externalName");
        String bare = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        if (bare.isEmpty()) {
            errors.required(SPEC.child("externalName"));
        } else {
            errors.invalid(SPEC.child("externalName"), bare, NameChecks.dnsSubdomain(bare));
        }
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

    private void affinity() {
        String affinity = text(spec, "sessionAffinity");
        errors.requireSupported(SPEC.child("sessionAffinity"), affinity, List.of("ClientIP", "None"));
        if (affinity.equals("ClientIP")) {
            long seconds = number(spec, "sessionAffinityConfig", "clientIP", "timeoutSeconds");
            if (seconds <= 0 || seconds > ONE_DAY) {
                errors.invalid(
                        SPEC.child("sessionAffinityConfig").child("clientIP").child("timeoutSeconds"),
                        seconds,
                        "must be greater than 0 and less than " + ONE_DAY);
            }
        }
    }

    private void external(String address, FieldPath here) {
        int before = errors.size();
        IpAddresses.checkIp(address, here, errors);
        if (errors.size() == before) {
            checkReachable(address, here, errors);
        }
    }

    /** Refuses an address that other machines cannot reach. */
    private static void checkReachable(String address, FieldPath path, FieldErrorList errors) {
        if (address.equals("0.0.0.0") || address.equals("::")) {
            errors.invalid(path, address, "may not be unspecified (" + address + ")");
        }
        if (address.startsWith("127.") || address.equals("::1")) {
            errors.invalid(path, address, "may not be in the loopback range (127.0.0.0/8, ::1/128)");
        }
        if (address.startsWith("169.254.") || address.startsWith("fe80:")) {
            errors.invalid(path, address, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
        }
        if (address.startsWith("224.0.0.") || address.startsWith("ff02:")) {
            errors.invalid(path, address, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
        }
    }

    private void nodePorts(List<ObjectNode> ports) {
        Set<String> taken = new HashSet<>();
        SPEC.child("ports").forEachIndexed(ports, (port, here) -> {
            if (type.equals("ClusterIP") && number(port, "nodePort") != 0) {
                errors.forbidden(here.child("nodePort"), "may not be used when `type` is 'ClusterIP'");
            }
        });
        SPEC.child("ports").forEachIndexed(ports, (port, here) -> {
            long number = number(port, "nodePort");
            if (number != 0 && !taken.add(text(port, "protocol") + number)) {
                errors.invalid(here.child("nodePort"), number, "provided port is already allocated");
            }
        });
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

    private void balancer() {
        boolean balanced = type.equals("LoadBalancer");
        List<String> ranges = texts(spec, "loadBalancerSourceRanges");
        FieldPath path = SPEC.child("LoadBalancerSourceRanges");
        if (!ranges.isEmpty() && !balanced) {
            errors.forbidden(path, "may only be used when `type` is 'LoadBalancer'");
        }
        path.forEachIndexed(ranges, (range, here) -> IpAddresses.checkCidr(range.strip(), here, errors));
        for (String field : List.of("allocateLoadBalancerNodePorts", "loadBalancerClass")) {
            if (has(spec, field) && !balanced) {
                errors.forbidden(SPEC.child(field), "may only be used when `type` is 'LoadBalancer'");
            }
        }
    }

    private void traffic() {
        boolean external = type.equals("LoadBalancer")
                || type.equals("NodePort")
                || (type.equals("ClusterIP") && !items(spec, "externalIPs").isEmpty());
        String policy = text(spec, "externalTrafficPolicy");
        FieldPath path = SPEC.child("externalTrafficPolicy");
        if (external) {
            errors.requireSupported(path, policy, List.of("Cluster", "Local"));
        } else if (!policy.isEmpty()) {
            errors.invalid(path, policy, "may only be set for externally-accessible services");
        }
        boolean checked = type.equals("LoadBalancer") && policy.equals("Local");
        if (number(spec, "healthCheckNodePort") != 0 && !checked) {
            errors.invalid(
                    SPEC.child("healthCheckNodePort"),
                    number(spec, "healthCheckNodePort"),
                    "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'");
        }
        errors.requireSupportedOrEmpty(
                SPEC.child("internalTrafficPolicy"), text(spec, "internalTrafficPolicy"), List.of("Cluster", "Local"));
        errors.requireSupportedOrEmpty(
                SPEC.child("trafficDistribution"),
                text(spec, "trafficDistribution"),
                List.of("PreferClose", "PreferSameZone", "PreferSameNode"));
    }

    /** An address once given stays. */
    public static void serviceUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        ServiceAddressChecks.update(before, after, errors);
    }
}
