package dev.berth.sandbox.validation.meta;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import java.util.List;

/** Checks port numbers and port names. */
public final class PortChecks {
    /** The protocols, in the order in which error messages list them. */
    public static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

    private PortChecks() {}

    public static void checkNumber(long port, FieldPath path, FieldErrorList errors) {
        if (port < 1 || port > 65535) {
            errors.invalid(path, port, "must be between 1 and 65535, inclusive");
        }
    }

    /** Checks a port number or the name of a container port. */
    public static void checkNumberOrName(JsonNode port, FieldPath path, FieldErrorList errors) {
        if (port.isTextual()) {
            errors.invalid(path, port.textValue(), NameChecks.portName(port.textValue()));
        } else {
            checkNumber(port.longValue(), path, errors);
        }
    }
}
