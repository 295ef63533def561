package dev.berth.embedded.http;

import dev.berth.embedded.rest.Answer;
import dev.berth.embedded.rest.WatchStream;
import io.netty.util.concurrent.EventExecutor;

/** Where the response to one request goes out. Used on its connection's event loop only. */
interface Outlet {

    EventExecutor loop();

    void send(Answer answer);

    void stream(WatchStream watch);
}
