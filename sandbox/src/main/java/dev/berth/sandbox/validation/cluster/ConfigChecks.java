package dev.berth.sandbox.validation.cluster;

import static dev.berth.sandbox.unstructured.NestedFields.at;
import static dev.berth.sandbox.unstructured.NestedFields.flag;
import static dev.berth.sandbox.unstructured.NestedFields.has;
import static dev.berth.sandbox.unstructured.NestedFields.map;
import static dev.berth.sandbox.unstructured.NestedFields.nullSafeEquals;
import static dev.berth.sandbox.unstructured.NestedFields.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.validation.field.FieldErrorList;
import dev.berth.sandbox.validation.field.FieldPath;
import dev.berth.sandbox.validation.meta.NameChecks;
import dev.berth.sandbox.validation.meta.ObjectMetaChecks;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Config maps and secrets. */
public final class ConfigChecks {
    private static final int MOST_BYTES = 1024 * 1024;
    private static final FieldPath DATA = FieldPath.of("data");
    private static final String IMMUTABLE_MESSAGE = "field is immutable when `immutable` is set";
    private static final ObjectMapper JSON = new ObjectMapper();

    private ConfigChecks() {}

    public static void configMap(ObjectNode config, FieldErrorList errors) {
        long bytes = 0;
        for (Map.Entry<String, String> entry : map(config, "data").entrySet()) {
            String key = entry.getKey();
            errors.invalid(DATA.key(key), key, NameChecks.configKey(key));
            if (at(config, "binaryData").has(key)) {
                errors.invalid(DATA.key(key), key, "duplicate of key present in binaryData");
            }
            bytes += entry.getValue().getBytes(StandardCharsets.UTF_8).length;
        }
        for (Map.Entry<String, String> entry : map(config, "binaryData").entrySet()) {
            String key = entry.getKey();
            errors.invalid(FieldPath.of("binaryData").key(key), key, NameChecks.configKey(key));
            bytes += decodedLength(entry.getValue());
        }
        if (bytes > MOST_BYTES) {
            errors.tooLong(FieldPath.ROOT, MOST_BYTES);
        }
    }

    private static int decodedLength(String base64) {
        return base64.length() / 4 * 3 - (base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0);
    }

    public static void configMapUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        checkImmutable(before, after, List.of("data", "binaryData"), errors);
    }

    private static void checkImmutable(
            ObjectNode before, ObjectNode after, List<String> fields, FieldErrorList errors) {
        if (!flag(before, "immutable")) {
            return;
        }
        if (!flag(after, "immutable")) {
            errors.forbidden(FieldPath.of("immutable"), IMMUTABLE_MESSAGE);
        }
        for (String field : fields) {
            if (!nullSafeEquals(at(before, field), at(after, field))) {
                errors.forbidden(FieldPath.of(field), IMMUTABLE_MESSAGE);
            }
        }
    }

    public static void secret(ObjectNode secret, FieldErrorList errors) {
        long bytes = 0;
        for (Map.Entry<String, String> entry : map(secret, "data").entrySet()) {
            errors.invalid(DATA.key(entry.getKey()), entry.getKey(), NameChecks.configKey(entry.getKey()));
            bytes += decodedLength(entry.getValue());
        }
        if (bytes > MOST_BYTES) {
            errors.tooLong(DATA, MOST_BYTES);
        }
        secretType(secret, errors);
    }

    private static void secretType(ObjectNode secret, FieldErrorList errors) {
        switch (text(secret, "type")) {
            case "kubernetes.io/service-account-token" -> {
                String key = "kubernetes.io/service-account.name";
                if (text(secret, "metadata", "annotations", key).isEmpty()) {
                    errors.required(FieldPath.of("metadata", "annotations").key(key));
                }
            }
            case "kubernetes.io/dockercfg" -> requireJson(secret, ".dockercfg", errors);
            case "kubernetes.io/dockerconfigjson" -> requireJson(secret, ".dockerconfigjson", errors);
            case "kubernetes.io/basic-auth" -> {
                if (!has(secret, "data", "username") && !has(secret, "data", "password")) {
                    errors.required(DATA.key("username"));
                    errors.required(DATA.key("password"));
                }
            }
            case "kubernetes.io/ssh-auth" -> {
                if (text(secret, "data", "ssh-privatekey").isEmpty()) {
                    errors.required(DATA.key("ssh-privatekey"));
                }
            }
            case "kubernetes.io/tls" -> {
                for (String key : List.of("tls.crt", "tls.key")) {
                    if (!has(secret, "data", key)) {
                        errors.required(DATA.key(key));
                    }
                }
            }
            default -> {}
        }
    }

    private static void requireJson(ObjectNode secret, String key, FieldErrorList errors) {
        if (!has(secret, "data", key)) {
            errors.required(DATA.key(key));
            return;
        }
        byte[] bytes = Base64.getDecoder().decode(text(secret, "data", key));
        String redacted = "<secret contents redacted>";
        try {
            if (!JSON.readTree(new String(bytes, StandardCharsets.UTF_8)).isObject()) {
                errors.invalid(DATA.key(key), redacted, "must be a JSON object");
            }
        } catch (JsonProcessingException e) {
            errors.invalid(DATA.key(key), redacted, goJsonError(bytes));
        }
    }

    private static String goJsonError(byte[] bytes) {
        if (bytes.length == 0) {
            return "unexpected end of JSON input";
        }
        return "invalid character '" + (char) bytes[0] + "' looking for beginning of value";
    }

    public static void secretUpdate(ObjectNode before, ObjectNode after, FieldErrorList errors) {
        ObjectMetaChecks.checkUnchanged(at(before, "type"), at(after, "type"), FieldPath.of("type"), errors);
        checkImmutable(before, after, List.of("data"), errors);
    }
}
