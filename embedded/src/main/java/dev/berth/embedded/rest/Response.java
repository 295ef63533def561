package dev.berth.embedded.rest;

import java.util.List;

/** What the server says to a request: one whole {@link Answer}, or a {@link WatchStream} that goes on. */
public sealed interface Response permits Answer, WatchStream {

    int code();

    String contentType();

    /** The sentences of {@code Warning: 299} headers, in order. */
    List<String> warnings();
}
