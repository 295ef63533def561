package dev.berth.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.testkit.controlplane.OnRealControlPlane;
import dev.berth.testkit.controlplane.RealCluster;
import dev.berth.up.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the pages tell people to type does what they say: every command on them is typed here, with real kubectl. */
@OnRealControlPlane
class DocsTest {
    static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
    private static final String RUNNING = "docs/running.md";
    private static final String IN_A_BOX = "docs/cluster-in-a-box.md";
    /** Commands of the README that need a build or a cluster of the reader's own; the page on running has the latter. */
    private static final List<String> NOT_RUN = List.of("./check", "./berth run");

    private static final String DOORS = "docs/doors/";
    /** What somebody who follows a page may leave behind: objects, annotations of nodes, files. */
    private static final String LIST_EVERYTHING = """
            kinds=$(kubectl api-resources --verbs=list -o name | grep -vE '^(events|leases|componentstatuses)' | paste -sd, -)
            kubectl get "$kinds" --all-namespaces -o name | sort
            kubectl get nodes -o jsonpath='{range .items[*]}{.metadata.name} {.metadata.annotations}{"\\n"}{end}'
            ls | grep -v '[.]log$'
            """;

    /** Deletions take their time. */
    private static final int MOST_TRIES = 40;

    @TempDir
    private Path folder = Path.of("");

    @ParameterizedTest
    @MethodSource("pagesTypedIntoUp")
    void everyCommandOnThePageWorks(String page) throws Exception {
        Path kubeconfig = folder.resolve("berth.kubeconfig");
        try (Terminal terminal = new Terminal(folder, kubeconfig)) {
            boolean up = false;
            for (String block : Page.read(REPOSITORY.resolve(page)).blocks()) {
                if (!up && !block.startsWith("./berth up")) {
                    terminal.run("./berth up");
                }
                up = true;
                terminal.run(typed(block));
            }
        }
        assertThat(kubeconfig).as("goes with the cluster").doesNotExist();
    }

    @ParameterizedTest
    @MethodSource("doors")
    void everyCommandOnADoorPageWorksAndTheCleanupLeavesNothing(String page) throws Exception {
        try (Terminal terminal = new Terminal(folder, folder.resolve("berth.kubeconfig"))) {
            List<String> blocks = Page.read(REPOSITORY.resolve(page)).blocks();
            terminal.run(blocks.get(0));
            String before = terminal.output(LIST_EVERYTHING);
            for (String block : blocks.subList(1, blocks.size())) {
                terminal.run(block);
            }
            String after = terminal.output(LIST_EVERYTHING);
            for (int tries = 0; tries < MOST_TRIES && !after.equals(before); tries++) {
                after = terminal.output(LIST_EVERYTHING);
            }
            assertThat(after).isEqualTo(before);
        }
        assertThat(folder.resolve("berth.kubeconfig"))
                .as("goes with the cluster")
                .doesNotExist();
    }

    static Stream<String> doors() throws IOException {
        return pagesWithCommands().stream().filter(page -> page.startsWith(DOORS));
    }

    /** Those with commands, but for those of doors and the one about clusters of the reader's own. */
    static Stream<String> pagesTypedIntoUp() throws IOException {
        return Stream.concat(
                Stream.of("README.md"),
                pagesWithCommands().stream().filter(page -> !page.equals(RUNNING) && !page.startsWith(DOORS)));
    }

    @Test
    void everyCommandOnTheRunningPageWorksOnARealCluster() throws Exception {
        try (RealCluster cluster = RealCluster.start(NodePool.of(2, "8", "32Gi", 110), InstantSource.system());
                Terminal terminal = new Terminal(folder, cluster.controlPlane().kubeconfig())) {
            for (String block : Page.read(REPOSITORY.resolve(RUNNING)).blocks()) {
                terminal.run(block);
            }
        }
    }

    private static List<String> pagesWithCommands() throws IOException {
        try (Stream<Path> files = Files.walk(REPOSITORY.resolve("docs"))) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !Page.read(file).blocks().isEmpty())
                    .map(file -> REPOSITORY.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    @Test
    void allServedSchedulerNamesAreDocumented() throws IOException {
        assertThat(Files.readString(REPOSITORY.resolve(IN_A_BOX)))
                .contains(LocalCluster.SCHEDULER_NAMES.stream()
                        .map("`%s`"::formatted)
                        .toList());
    }

    private static String typed(String block) {
        return block.lines()
                .filter(line -> NOT_RUN.stream().noneMatch(line::startsWith))
                .reduce("", (text, line) -> text + line + "\n");
    }
}
