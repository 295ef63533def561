package dev.berth.sandbox.endpoints;

import java.util.List;

/** What the server says to a request: one whole {@link BodyResponse}, or a {@link WatchResponse} that goes on. */
public sealed interface RestResponse permits BodyResponse, WatchResponse {

    int code();

    String contentType();

    /** The sentences of {@code Warning: 299} headers, in order. */
    List<String> warnings();
}
