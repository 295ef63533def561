package dev.berth.testkit.controlplane;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Keys and certificates as text. */
final class Pem {

    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

    private Pem() {}

    static String write(String label, byte[] content) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(label, LINES.encodeToString(content), label);
    }
}
