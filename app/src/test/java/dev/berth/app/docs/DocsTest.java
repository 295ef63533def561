package dev.berth.app.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.controlplane.OnRealControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages tell people to type does what they say: every command on them is typed here, with real kubectl. */
@OnRealControlPlane
class DocsTest {
    private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
    /** Commands that need a cluster or a build of the reader's own. */
    private static final List<String> NOT_TYPED = List.of("./check", "./berth run");

    @TempDir
    private Path folder = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/first-hour.md", "docs/running.md"})
    void everyCommandOnThePageWorks(String page) throws Exception {
        try (Terminal terminal = new Terminal(folder)) {
            boolean up = false;
            for (String block : Page.read(REPOSITORY.resolve(page)).blocks()) {
                if (!up && !block.startsWith("./berth up")) {
                    terminal.type("./berth up");
                }
                up = true;
                terminal.type(typed(block));
            }
        }
        assertThat(folder.resolve("berth.kubeconfig"))
                .as("goes with the cluster")
                .doesNotExist();
    }

    @Test
    void everyPageThatHasCommandsIsTyped() throws IOException {
        try (Stream<Path> files = Files.walk(REPOSITORY.resolve("docs"))) {
            List<String> withCommands = files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !Page.read(file).blocks().isEmpty())
                    .map(file -> REPOSITORY.relativize(file).toString())
                    .toList();
            assertThat(withCommands).containsExactlyInAnyOrder("docs/first-hour.md", "docs/running.md");
        }
    }

    private static String typed(String block) {
        return block.lines()
                .filter(line -> NOT_TYPED.stream().noneMatch(line::startsWith))
                .reduce("", (text, line) -> text + line + "\n");
    }
}
