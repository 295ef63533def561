package dev.berth.e2e.scripts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;

/**
 * A copy of the scripts with a few sources to build, and a PATH on which there is nothing but what the scripts need.
 * {@code java} has a version and repeats what it is given, with the libraries it would run on; {@code mvn} makes a
 * library named in {@code app/pom.xml}, writes down that it did, and waits at a gate where there is one.
 */
final class Checkout {
    private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();
    private static final List<String> SCRIPTS = List.of("berth", "check", "bench/run", "scripts/build.sh");
    private static final List<String> TOOLS = List.of(
            "bash",
            "cat",
            "cksum",
            "cp",
            "dirname",
            "find",
            "flock",
            "head",
            "ls",
            "mkdir",
            "readlink",
            "rm",
            "sed",
            "sleep",
            "sort",
            "tail",
            "env");

    private final Path root;
    private final Path tools;
    private final Path jdk;

    Checkout(Path folder) throws IOException {
        root = folder.resolve("a folder/berth");
        tools = Files.createDirectories(folder.resolve("tools"));
        jdk = folder.resolve("jdk");
        for (String script : SCRIPTS) {
            Files.createDirectories(root.resolve(script).getParent());
            Files.copy(REPOSITORY.resolve(script), root.resolve(script));
        }
        for (String tool : TOOLS) {
            Files.createSymbolicLink(tools.resolve(tool), findOnPath(tool));
        }
        write("app/pom.xml", "first.jar");
        write("app/src/main/java/Main.java", "");
        write("core/src/main/java/Ledger.java", "");
        writeProgram(tools.resolve("mvn"), """
                echo $$ >> mvn.runs
                [ ! -p gate ] || read -r opened < gate
                for module in app up; do
                  mkdir -p $module/target/berth/lib
                  cp app/pom.xml "$module/target/berth/lib/$(cat app/pom.xml)"
                done
                """);
        jdk("17.0.15");
        Files.createSymbolicLink(tools.resolve("java"), jdk.resolve("bin/java"));
    }

    Path root() {
        return root;
    }

    Path jdk() {
        return jdk;
    }

    /** The only folder on the PATH. */
    Path tools() {
        return tools;
    }

    Path tool(String name) {
        return tools.resolve(name);
    }

    void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    /** From now on Java has this version. */
    void jdk(String version) throws IOException {
        writeProgram(jdk.resolve("bin/java"), """
                [ "$1" != -version ] || { echo 'openjdk version "%s" 2025-04-15' >&2; exit; }
                for word; do
                  case $word in
                    -XX:ArchiveClassesAtExit=*) [ ! -f stage-fright ] || exit 1; echo "$@" > "${word#*=}" ;;
                  esac
                done
                echo "$@"
                ls '%s/app/target/berth/lib' '%s/up/target/berth/lib'
                """.replace("stage-fright", "'%s/stage-fright'")
                .formatted(version, root, root, root));
        writeProgram(jdk.resolve("bin/javac"), "");
    }

    /** From now on the training run fails. */
    void failCdsTrainingRun() throws IOException {
        write("stage-fright", "");
    }

    /** How often Maven was run. */
    int buildCount() throws IOException {
        Path runs = root.resolve("mvn.runs");
        return Files.exists(runs) ? Files.readAllLines(runs).size() : 0;
    }

    ProcessHandle lastMaven() throws IOException {
        List<String> runs = Files.readAllLines(root.resolve("mvn.runs"));
        return ProcessHandle.of(Long.parseLong(runs.get(runs.size() - 1))).orElseThrow();
    }

    /** From now on Maven waits until {@link #releaseMaven}. */
    void blockMaven() throws IOException, InterruptedException {
        new ProcessBuilder("mkfifo", root.resolve("gate").toString()).start().waitFor();
    }

    void releaseMaven() throws IOException {
        Files.writeString(root.resolve("gate"), "open\n");
    }

    private static void writeProgram(Path file, String body) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/usr/bin/env bash\nset -eu\n" + body);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Path findOnPath(String tool) {
        return Arrays.stream(System.getenv("PATH").split(":", -1))
                .map(folder -> Path.of(folder, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new UncheckedIOException(new IOException("there is no (%s) here".formatted(tool))));
    }
}
