package dev.berth.embedded.validation.meta;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.embedded.validation.FieldErrors;
import dev.berth.embedded.validation.Path;
import java.util.List;

/** Ports and the protocols spoken on them. */
public final class Ports {
    /** The protocols, in the order in which a refusal lists them. */
    public static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

    private Ports() {}

    public static void checkNumber(long port, Path path, FieldErrors errors) {
        if (port < 1 || port > 65535) {
            errors.invalid(path, port, "must be between 1 and 65535, inclusive");
        }
    }

    /** A port's number, or the name of a container's port. */
    public static void checkNumberOrName(JsonNode port, Path path, FieldErrors errors) {
        if (port.isTextual()) {
            errors.invalid(path, port.textValue(), Names.portName(port.textValue()));
        } else {
            checkNumber(port.longValue(), path, errors);
        }
    }
}
