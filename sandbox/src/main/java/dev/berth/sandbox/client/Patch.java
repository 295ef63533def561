package dev.berth.sandbox.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A change to an object or to one of its subresources. */
public record Patch(Type type, JsonNode body, String subresource) {

    /** How the server is to read the body. */
    public enum Type {
        MERGE("application/merge-patch+json"),
        STRATEGIC("application/strategic-merge-patch+json");

        private final String contentType;

        Type(String contentType) {
            this.contentType = contentType;
        }

        String contentType() {
            return contentType;
        }
    }

    public static Patch merge(ObjectNode body) {
        return new Patch(Type.MERGE, body, "");
    }

    public static Patch strategic(ObjectNode body) {
        return new Patch(Type.STRATEGIC, body, "");
    }

    public Patch forStatus() {
        return new Patch(type, body, "status");
    }
}
