package dev.berth.sandbox.client.transport;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a server answered: the HTTP status code and the object, which may be shared and must not be changed. */
public record ClientResponse(int code, ObjectNode body) {
    public boolean isSuccess() {
        return code >= 200 && code < 300;
    }
}
