package dev.berth.sandbox.validation.pod;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.objects;
import static dev.berth.sandbox.unstructured.NestedFields.text;
import static dev.berth.sandbox.unstructured.NestedFields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.IpAddresses;
import dev.berth.sandbox.validation.meta.NameChecks;
import java.util.List;
import java.util.regex.Pattern;

/** How the containers of a pod resolve names. */
final class DnsChecks {
    private static final int MOST_SERVERS = 3;
    private static final int MOST_SEARCHES = 32;
    private static final String LABEL = "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
    private static final String DOMAIN = LABEL + "(\\." + LABEL + ")*";
    private static final Pattern DOMAIN_FORM = Pattern.compile(DOMAIN);

    private DnsChecks() {}

    static void check(ObjectNode spec, FieldPath path, FieldErrorList errors) {
        JsonNode config = at(spec, "dnsConfig");
        List<String> servers = texts(config, "nameservers");
        if (text(spec, "dnsPolicy").equals("None")) {
            if (!has(spec, "dnsConfig")) {
                errors.required(path, "must provide `dnsConfig` when `dnsPolicy` is None");
                return;
            }
            if (servers.isEmpty()) {
                errors.required(
                        path.child("nameservers"), "must provide at least one DNS nameserver when `dnsPolicy` is None");
                return;
            }
        }
        if (servers.size() > MOST_SERVERS) {
            errors.invalid(
                    path.child("nameservers"),
                    at(config, "nameservers"),
                    "must not have more than " + MOST_SERVERS + " nameservers");
        }
        path.child("nameservers").forEachIndexed(servers, (server, here) -> IpAddresses.checkIp(server, here, errors));
        searches(config, path.child("searches"), errors);
        path.child("options").forEachIndexed(objects(config, "options"), (option, here) -> {
            if (text(option, "name").isEmpty()) {
                errors.required(here, "must not be empty");
            }
        });
    }

    private static void searches(JsonNode config, FieldPath path, FieldErrorList errors) {
        List<String> searches = texts(config, "searches");
        if (searches.size() > MOST_SEARCHES) {
            errors.invalid(path, at(config, "searches"), "must not have more than " + MOST_SEARCHES + " search paths");
        }
        path.forEachIndexed(searches, (search, here) -> {
            String domain = search.endsWith(".") ? search.substring(0, search.length() - 1) : search;
            if (!search.equals(".") && !DOMAIN_FORM.matcher(domain).matches()) {
                errors.invalid(
                        here,
                        domain,
                        NameChecks.ruleMessage(
                                "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, "
                                        + "'_', '-' or '.', and must start and end with an alphanumeric character",
                                DOMAIN,
                                "example.com"));
            }
        });
    }
}
