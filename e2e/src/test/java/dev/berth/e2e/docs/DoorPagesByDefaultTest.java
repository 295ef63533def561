package dev.berth.e2e.docs;

import dev.berth.app.config.Config;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.up.LocalCluster;
import dev.berth.up.NodeSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the pages of the doors print works for a reader who starts Berth by {@code berth run} and configures no scheduler
 * name. {@code berth up} serves the names of all original tools, and so cannot show it: here no scheduler but Berth runs,
 * and it serves its default name alone. A pod that names another scheduler stays pending, and the page fails.
 */
@OnRealControlPlane
class DoorPagesByDefaultTest {
    /** The Reserve API is open at a free port: it is closed by default, and its page says how to open it. */
    private static final LocalCluster.Options PLAN = LocalCluster.Options.of(3, new NodeSize("8", "32Gi", 110))
            .withSchedulerNames(Config.DEFAULT.schedulerNames());

    @TempDir
    private Path folder = Path.of("");

    @ParameterizedTest
    @MethodSource("doors")
    void everyCommandOnThePageOfADoorWorksWhereBerthServesOnlyItsDefaultName(String page) throws Exception {
        try (LocalCluster.Running cluster = LocalCluster.start(PLAN, InstantSource.system())) {
            Path kubeconfig = Files.writeString(folder.resolve("berth.kubeconfig"), cluster.kubeconfig());
            try (Terminal terminal = new Terminal(folder, kubeconfig)) {
                terminal.set("RESERVE", cluster.berth().globalReserveUrl().orElseThrow());
                for (String block : commands(page)) {
                    terminal.run(block);
                }
            }
        }
    }

    static Stream<String> doors() throws IOException {
        return DocsTest.doors();
    }

    /**
     * All but the first, which starts {@code berth up}, and those of the original tool's page: its examples name the
     * original's scheduler.
     */
    private static List<String> commands(String page) {
        List<String> blocks = Page.read(DocsTest.REPOSITORY.resolve(page)).blocks();
        return blocks.subList(1, blocks.size()).stream()
                .filter(block -> !block.startsWith("cd examples/"))
                .toList();
    }
}
