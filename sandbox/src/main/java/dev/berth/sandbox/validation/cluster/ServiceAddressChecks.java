package dev.berth.sandbox.validation.cluster;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.IpAddresses;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The cluster addresses of a service and their families. */
final class ServiceAddressChecks {
    private static final FieldPath SPEC = FieldPath.of("spec");
    private static final FieldPath ADDRESSES = SPEC.child("clusterIPs");

    private final ObjectNode spec;
    private final FieldErrorList errors;

    ServiceAddressChecks(ObjectNode spec, FieldErrorList errors) {
        this.spec = spec;
        this.errors = errors;
    }

    void check() {
        List<String> addresses = texts(spec, "clusterIPs");
        String first = text(spec, "clusterIP");
        if (!first.isEmpty() && !addresses.isEmpty() && !addresses.get(0).equals(first)) {
            errors.invalid(ADDRESSES, at(spec, "clusterIPs"), "first value must match `clusterIP`");
        }
        List<String> families = texts(spec, "ipFamilies");
        families(families);
        errors.requireSupportedOrEmpty(
                SPEC.child("ipFamilyPolicy"),
                text(spec, "ipFamilyPolicy"),
                List.of("PreferDualStack", "RequireDualStack", "SingleStack"));
        int before = errors.size();
        addresses(addresses);
        if (errors.size() == before) {
            matchFamilies(addresses, families);
        }
    }

    private void families(List<String> families) {
        Set<String> seen = new HashSet<>();
        SPEC.child("ipFamilies").forEachIndexed(families, (family, here) -> {
            errors.requireSupportedOrEmpty(here, family, List.of("IPv4", "IPv6"));
            if (!seen.add(family)) {
                errors.duplicate(here, family);
            }
        });
    }

    private void addresses(List<String> addresses) {
        for (int i = 0; i < addresses.size(); i++) {
            boolean none = i == 0 && addresses.get(i).equals("None");
            if (none && addresses.size() > 1) {
                errors.invalid(ADDRESSES, at(spec, "clusterIPs"), "'None' must be the first and only value");
            } else if (!none) {
                IpAddresses.checkIp(addresses.get(i), ADDRESSES.index(i), errors);
            }
        }
        if (addresses.size() > 2) {
            errors.invalid(ADDRESSES, at(spec, "clusterIPs"), "may only hold up to 2 values");
        }
    }

    private void matchFamilies(List<String> addresses, List<String> families) {
        for (int i = 0; i < Math.min(addresses.size(), families.size()); i++) {
            boolean six = addresses.get(i).contains(":");
            boolean known = families.get(i).startsWith("IPv");
            if (known
                    && !addresses.get(i).equals("None")
                    && six != families.get(i).equals("IPv6")) {
                errors.invalid(
                        ADDRESSES.index(i),
                        addresses.get(i),
                        "expected an " + families.get(i) + " value as indicated by `ipFamilies[" + i + "]`");
            }
        }
    }

    static void update(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        boolean named = text(before, "spec", "type").equals("ExternalName")
                || text(after, "spec", "type").equals("ExternalName");
        List<String> old = texts(before, "spec", "clusterIPs");
        List<String> now = texts(after, "spec", "clusterIPs");
        if (named || old.isEmpty()) {
            return;
        }
        if (now.isEmpty()) {
            errors.invalid(ADDRESSES.index(0), at(after, "spec", "clusterIPs"), "primary clusterIP can not be unset");
        } else if (!old.get(0).equals(now.get(0))) {
            errors.invalid(ADDRESSES.index(0), at(after, "spec", "clusterIPs"), "may not change once set");
        }
    }
}
