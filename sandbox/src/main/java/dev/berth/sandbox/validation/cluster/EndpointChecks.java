package dev.berth.sandbox.validation.cluster;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.items;
import static dev.berth.sandbox.unstructured.NestedFields.number;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.IpAddresses;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import dev.berth.sandbox.validation.meta.PortChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What stands behind a service. */
public final class EndpointChecks {
    private static final List<String> ADDRESS_TYPES = List.of("FQDN", "IPv4", "IPv6");

    private EndpointChecks() {}

    public static void endpoints(ObjectNode endpoints, FieldErrorList errors) {
        FieldPath.of("subsets").forEachIndexed(objects(endpoints, "subsets"), (subset, here) -> {
            boolean none = items(subset, "addresses").isEmpty()
                    && items(subset, "notReadyAddresses").isEmpty();
            if (none) {
                errors.required(here, "must specify `addresses` or `notReadyAddresses`");
            }
            for (String list : List.of("addresses", "notReadyAddresses")) {
                here.child(list).forEachIndexed(objects(subset, list), (address, at) -> address(address, at, errors));
            }
            List<ObjectNode> ports = objects(subset, "ports");
            here.child("ports").forEachIndexed(ports, (port, at) -> port(port, ports.size() > 1, at, errors));
        });
    }

    private static void address(ObjectNode address, FieldPath path, FieldErrorList errors) {
        int before = errors.size();
        IpAddresses.checkIp(text(address, "ip"), path.child("ip"), errors);
        int after = errors.size();
        String host = text(address, "hostname");
        if (!host.isEmpty()) {
            errors.invalid(path.child("hostname"), host, NameChecks.dnsLabel(host));
        }
        if (after == before) {
            checkReachable(text(address, "ip"), path.child("ip"), errors);
        } else {
            errors.invalid(path.child("ip"), text(address, "ip"), "must be a valid IP address");
        }
    }

    private static void port(ObjectNode port, boolean named, FieldPath path, FieldErrorList errors) {
        String name = text(port, "name");
        if (named && name.isEmpty()) {
            errors.required(path.child("name"));
        } else if (!name.isEmpty()) {
            errors.invalid(path.child("name"), name, NameChecks.dnsLabel(name));
        }
        PortChecks.checkNumber(number(port, "port"), path.child("port"), errors);
        errors.requireSupported(path.child("protocol"), text(port, "protocol"), PortChecks.PROTOCOLS);
    }

    /** An address that others can reach. */
    static void checkReachable(String address, FieldPath path, FieldErrorList errors) {
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

    public static void slice(ObjectNode slice, FieldErrorList errors) {
        String type = text(slice, "addressType");
        errors.requireSupported(FieldPath.of("addressType"), type, ADDRESS_TYPES);
        slicePorts(slice, errors);
        if (!ADDRESS_TYPES.contains(type) || !items(slice, "endpoints").isEmpty()) {
            FieldPath.of("endpoints")
                    .forEachIndexed(
                            objects(slice, "endpoints"),
                            (endpoint, here) -> sliceEndpoint(endpoint, type, here, errors));
        }
    }

    private static void slicePorts(ObjectNode slice, FieldErrorList errors) {
        Set<String> names = new HashSet<>();
        FieldPath.of("ports").forEachIndexed(objects(slice, "ports"), (port, here) -> {
            String name = text(port, "name");
            if (!name.isEmpty()) {
                errors.invalid(here.child("name"), name, NameChecks.dnsLabel(name));
            }
            if (!names.add(name)) {
                errors.duplicate(here.child("name"), name);
            }
            errors.requireSupported(here.child("protocol"), text(port, "protocol"), PortChecks.PROTOCOLS);
            if (has(port, "appProtocol")) {
                String protocol = text(port, "appProtocol");
                errors.invalid(here.child("appProtocol"), protocol, NameChecks.qualifiedName(protocol));
            }
        });
    }

    private static void sliceEndpoint(ObjectNode endpoint, String type, FieldPath path, FieldErrorList errors) {
        List<String> addresses = texts(endpoint, "addresses");
        if (addresses.isEmpty()) {
            errors.required(path.child("addresses"), "must contain at least 1 address");
        }
        path.child("addresses").forEachIndexed(addresses, (address, here) -> {
            switch (type) {
                case "IPv4", "IPv6" -> {
                    IpAddresses.checkIp(address, here, errors);
                    boolean other = type.equals("IPv4") ? IpAddresses.isIpv6(address) : IpAddresses.isIpv4(address);
                    if (other) {
                        errors.invalid(here, address, "must be an " + type + " address");
                    }
                }
                case "FQDN" -> errors.invalid(here, address, NameChecks.dnsSubdomain(address));
                default -> {}
            }
        });
        String node = text(endpoint, "nodeName");
        if (!node.isEmpty()) {
            errors.invalid(path.child("nodeName"), node, NameChecks.dnsSubdomain(node));
        }
    }

    public static void sliceUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        ObjectMetaChecks.checkUnchanged(
                at(before, "addressType"), at(after, "addressType"), FieldPath.of("addressType"), errors);
    }
}
