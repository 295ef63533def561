package dev.berth.sandbox.validation.meta;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import java.util.List;

/** Ports and the protocols spoken on them. */
public final class PortChecks {
    /** The protocols, in the order in which a refusal lists them. */
    public static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

    private PortChecks() {}

    public static void checkNumber(long port, FieldPath path, FieldErrorList errors) {
        if (port < 1 || port > 65535) {
            errors.invalid(path, port, "must be between 1 and 65535, inclusive");
        }
    }

    /** A port's number, or the name of a container's port. */
    public static void checkNumberOrName(JsonNode port, FieldPath path, FieldErrorList errors) {
        if (port.isTextual()) {
            errors.invalid(path, port.textValue(), NameChecks.portName(port.textValue()));
        } else {
            checkNumber(port.longValue(), path, errors);
        }
    }
}
