package dev.berth.sandbox.openapi;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The OpenAPI v3 document of one group and version. Its hash changes with its content; clients keep a document as long as the index names
 * its hash.
 */
public final class OpenApiDocument {

    private final String path;
    private final byte[] json;
    private final String hash;

    OpenApiDocument(String path, String json) {
        this.path = path;
        this.json = json.getBytes(StandardCharsets.UTF_8);
        this.hash = hashOf(this.json);
    }

    /** Below {@code /openapi/v3/}: {@code api/v1} or {@code apis/apps/v1}. */
    public String path() {
        return path;
    }

    /** The body, of type {@code application/json}. Shared: do not write to it. */
    public byte[] json() {
        return json;
    }

    public String hash() {
        return hash;
    }

    /** Where the index sends clients. */
    public String relativeUrl() {
        return "/openapi/v3/" + path + "?hash=" + hash;
    }

    private static String hashOf(byte[] content) {
        try {
            return HexFormat.of()
                    .withUpperCase()
                    .formatHex(MessageDigest.getInstance("SHA-512").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-512, this one has not", e);
        }
    }
}
