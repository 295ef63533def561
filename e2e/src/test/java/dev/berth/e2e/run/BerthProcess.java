package dev.berth.e2e.run;

import java.nio.file.Path;
import java.util.List;

/** Berth as users run it: {@code berth run} in a process of its own, which can be killed. */
public final class BerthProcess {
    private BerthProcess() {}

    /** What to start, with this build's classes. */
    public static List<String> command(Path kubeconfig, Path config) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.berth.app.Main",
                "run",
                "--kubeconfig",
                kubeconfig.toString(),
                "--config",
                config.toString());
    }
}
