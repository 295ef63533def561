package dev.berth.sandbox.http;

import dev.berth.sandbox.endpoints.BodyResponse;
import dev.berth.sandbox.endpoints.WatchResponse;
import io.netty.util.concurrent.EventExecutor;

/** Sends the response to one request. Used on its connection's event loop only. */
interface ResponseChannel {

    EventExecutor eventLoop();

    void send(BodyResponse bodyResponse);

    void stream(WatchResponse watch);
}
