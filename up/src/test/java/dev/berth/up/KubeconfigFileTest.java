package dev.berth.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.app.cli.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KubeconfigFileTest {
    @TempDir
    private Path folder = Path.of("");

    private Path path = Path.of("");

    @BeforeEach
    void namePath() {
        path = folder.resolve("berth.kubeconfig");
    }

    @Test
    void aMissingParentFolderIsReported() {
        Path missing = folder.resolve("missing");
        assertThatThrownBy(() -> KubeconfigFile.at(missing.resolve("config")))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("the folder %s does not exist. Maybe run \"mkdir -p %1$s\"", missing);
    }

    @Test
    void theFileIsReadableByItsOwnerOnlyAndDeletedOnClose() throws IOException {
        try (KubeconfigFile file = KubeconfigFile.at(path)) {
            assertThat(path).doesNotExist();
            file.write("kind: Config\n");
            assertThat(Files.readString(path))
                    .startsWith("# Written by berth up")
                    .endsWith("\nkind: Config\n");
            assertThat(Files.getPosixFilePermissions(path)).hasSize(2);
        }
        assertThat(remainingFiles()).isEmpty();
    }

    @Test
    void theFileOfARunningClusterIsNotReplaced() throws Exception {
        KubeconfigFile early = KubeconfigFile.at(path);
        Process other = new ProcessBuilder("cat").start();
        try {
            Files.writeString(path, KubeconfigFile.headerFor(other.toHandle()) + "\nkind: Config\n");
            assertThatThrownBy(() -> KubeconfigFile.at(path))
                    .isInstanceOf(UserError.class)
                    .hasMessageContaining("another berth up (process %d), which is still running", other.pid());
            assertThatThrownBy(() -> early.write("kind: Config\n"))
                    .as("it came while this one started")
                    .hasMessageContaining("still running");
            assertThat(remainingFiles()).containsExactly(path);
        } finally {
            other.destroyForcibly().waitFor();
        }
        try (KubeconfigFile file = KubeconfigFile.at(path)) {
            file.write("kind: Config\n");
        }
        assertThat(remainingFiles())
                .as("what a dead one left behind is replaced")
                .isEmpty();
    }

    @Test
    void aReusedPidIsNotMistakenForTheWriter() throws IOException {
        String mark = KubeconfigFile.headerFor(ProcessHandle.current()).replaceFirst(" of \\d{4}-", " of 2001-");
        Files.writeString(path, mark + "\nkind: Config\n");
        KubeconfigFile.at(path).close();
        assertThat(path).as("not written, not removed").exists();
    }

    @Test
    void aWriteThatFailsLeavesNothingBehind() throws IOException {
        KubeconfigFile file = KubeconfigFile.at(path);
        Files.createDirectory(path);
        assertThatThrownBy(() -> file.write("kind: Config\n")).isInstanceOf(UserError.class);
        assertThat(remainingFiles()).containsExactly(path);
        file.close();
        assertThat(path).isDirectory();
    }

    @Test
    void aFileThatAnotherProgramWroteIsKept() throws IOException {
        KubeconfigFile file = KubeconfigFile.at(path);
        Files.writeString(path, "kind: Config\n");
        assertThatThrownBy(() -> file.write("ours")).hasMessageContaining("berth up did not write it");
        assertThat(path).hasContent("kind: Config");
        Files.delete(path);
        file.write("ours");
        Files.writeString(path, "kind: Config\n");
        file.close();
        assertThat(path).hasContent("kind: Config");
    }

    @Test
    void writingAfterCloseFails() throws IOException {
        KubeconfigFile file = KubeconfigFile.at(path);
        file.close();
        assertThatThrownBy(() -> file.write("kind: Config\n")).hasMessage("Berth was stopped while it was starting");
        assertThat(remainingFiles()).isEmpty();
    }

    private List<Path> remainingFiles() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }
}
