package dev.berth.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.app.cli.UserError;
import dev.berth.app.config.DoorSettings;
import dev.berth.app.config.GlobalReserveApiSettings;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class GlobalReservePortTest {
    private static final NodeSize SIZE = new NodeSize("8", "32Gi", 110);

    @Test
    void aTakenConfiguredPortIsReportedWithAdvice() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            LocalCluster.Options plan = plan(GlobalReserveApiSettings.onPort(port));

            assertThatThrownBy(() -> LocalCluster.start(plan, InstantSource.system()))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("the Reserve API cannot listen on port %d of 127.0.0.1".formatted(port))
                    .hasMessageContaining("--globalreserve-port");
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread.getName().startsWith("berth-globalreserve")) {
                    // A pool says that it has ended a moment before its last thread does.
                    thread.join(10_000);
                    assertThat(thread.isAlive()).as(thread.getName()).isFalse();
                }
            }
        }
    }

    @Test
    void aTakenDefaultPortFallsBackToAFreePort() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            GlobalReserveApiSettings usual =
                    new GlobalReserveApiSettings(true, "127.0.0.1", taken.getLocalPort(), true, Duration.ofSeconds(60));
            try (LocalCluster.Running running = LocalCluster.start(plan(usual), InstantSource.system())) {
                assertThat(running.berth().globalReserveUrl().orElseThrow())
                        .startsWith("http://127.0.0.1:")
                        .doesNotEndWith(":" + taken.getLocalPort());
            }
        }
    }

    private static LocalCluster.Options plan(GlobalReserveApiSettings reserveApi) {
        return LocalCluster.Options.of(1, SIZE).withDoors(DoorSettings.DEFAULT.withGlobalReserveApi(reserveApi));
    }
}
