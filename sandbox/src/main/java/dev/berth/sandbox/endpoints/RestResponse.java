package dev.berth.sandbox.endpoints;

import java.util.List;

/** The response to a request: a complete {@link BodyResponse}, or a {@link WatchResponse}. */
public sealed interface RestResponse permits BodyResponse, WatchResponse {

    int code();

    String contentType();

    /** The texts of {@code Warning: 299} headers, in order. */
    List<String> warnings();
}
