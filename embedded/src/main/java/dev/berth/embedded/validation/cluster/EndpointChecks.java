package dev.berth.embedded.validation.cluster;

import static dev.berth.embedded.tree.Trees.at;
import static dev.berth.embedded.tree.Trees.has;
import static dev.berth.embedded.tree.Trees.items;
import static dev.berth.embedded.tree.Trees.number;
import static dev.berth.embedded.tree.Trees.objects;
import static dev.berth.embedded.tree.Trees.text;
import static dev.berth.embedded.tree.Trees.texts;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.Path;
import dev.berth.embedded.validation.meta.Addresses;
import dev.berth.embedded.validation.meta.Names;
import dev.berth.embedded.validation.meta.ObjectMeta;
import dev.berth.embedded.validation.meta.Ports;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What stands behind a service. */
public final class EndpointChecks {
    private static final List<String> ADDRESS_TYPES = List.of("FQDN", "IPv4", "IPv6");

    private EndpointChecks() {}

    public static void endpoints(ObjectNode endpoints, FieldErrors errors) {
        Path.of("subsets").each(objects(endpoints, "subsets"), (subset, here) -> {
            boolean none = items(subset, "addresses").isEmpty()
                    && items(subset, "notReadyAddresses").isEmpty();
            if (none) {
                errors.required(here, "must specify `addresses` or `notReadyAddresses`");
            }
            for (String list : List.of("addresses", "notReadyAddresses")) {
                here.child(list).each(objects(subset, list), (address, at) -> address(address, at, errors));
            }
            List<ObjectNode> ports = objects(subset, "ports");
            here.child("ports").each(ports, (port, at) -> port(port, ports.size() > 1, at, errors));
        });
    }

    private static void address(ObjectNode address, Path path, FieldErrors errors) {
        int before = errors.size();
        Addresses.checkAddress(text(address, "ip"), path.child("ip"), errors);
        int after = errors.size();
        String host = text(address, "hostname");
        if (!host.isEmpty()) {
            errors.invalid(path.child("hostname"), host, Names.label(host));
        }
        if (after == before) {
            checkReachable(text(address, "ip"), path.child("ip"), errors);
        } else {
            errors.invalid(path.child("ip"), text(address, "ip"), "must be a valid IP address");
        }
    }

    private static void port(ObjectNode port, boolean named, Path path, FieldErrors errors) {
        String name = text(port, "name");
        if (named && name.isEmpty()) {
            errors.required(path.child("name"));
        } else if (!name.isEmpty()) {
            errors.invalid(path.child("name"), name, Names.label(name));
        }
        Ports.checkNumber(number(port, "port"), path.child("port"), errors);
        errors.oneOf(path.child("protocol"), text(port, "protocol"), Ports.PROTOCOLS);
    }

    /** An address that others can reach. */
    static void checkReachable(String address, Path path, FieldErrors errors) {
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

    public static void slice(ObjectNode slice, FieldErrors errors) {
        String type = text(slice, "addressType");
        errors.oneOf(Path.of("addressType"), type, ADDRESS_TYPES);
        slicePorts(slice, errors);
        if (!ADDRESS_TYPES.contains(type) || !items(slice, "endpoints").isEmpty()) {
            Path.of("endpoints")
                    .each(objects(slice, "endpoints"), (endpoint, here) -> sliceEndpoint(endpoint, type, here, errors));
        }
    }

    private static void slicePorts(ObjectNode slice, FieldErrors errors) {
        Set<String> names = new HashSet<>();
        Path.of("ports").each(objects(slice, "ports"), (port, here) -> {
            String name = text(port, "name");
            if (!name.isEmpty()) {
                errors.invalid(here.child("name"), name, Names.label(name));
            }
            if (!names.add(name)) {
                errors.duplicate(here.child("name"), name);
            }
            errors.oneOf(here.child("protocol"), text(port, "protocol"), Ports.PROTOCOLS);
            if (has(port, "appProtocol")) {
                String protocol = text(port, "appProtocol");
                errors.invalid(here.child("appProtocol"), protocol, Names.qualified(protocol));
            }
        });
    }

    private static void sliceEndpoint(ObjectNode endpoint, String type, Path path, FieldErrors errors) {
        List<String> addresses = texts(endpoint, "addresses");
        if (addresses.isEmpty()) {
            errors.required(path.child("addresses"), "must contain at least 1 address");
        }
        path.child("addresses").each(addresses, (address, here) -> {
            switch (type) {
                case "IPv4", "IPv6" -> {
                    Addresses.checkAddress(address, here, errors);
                    boolean other = type.equals("IPv4") ? Addresses.isSix(address) : Addresses.isFour(address);
                    if (other) {
                        errors.invalid(here, address, "must be an " + type + " address");
                    }
                }
                case "FQDN" -> errors.invalid(here, address, Names.subdomain(address));
                default -> {}
            }
        });
        String node = text(endpoint, "nodeName");
        if (!node.isEmpty()) {
            errors.invalid(path.child("nodeName"), node, Names.subdomain(node));
        }
    }

    public static void sliceUpdate(ObjectNode before, ObjectNode after, FieldErrors errors) {
        ObjectMeta.checkUnchanged(at(before, "addressType"), at(after, "addressType"), Path.of("addressType"), errors);
    }
}
