package dev.berth.e2e.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.e2e.scripts.ScriptProcess.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ScriptsTest {
    private final Path folder;
    private final Checkout checkout;

    ScriptsTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        this.checkout = new Checkout(folder);
    }

    @Test
    void theFirstRunBuildsAndTheNextDoesNot() throws Exception {
        assertThat(berth("version").output()).startsWith("building Berth").contains("dev.berth.app.Main version");
        assertThat(berth("version").output()).doesNotContain("building");
        assertThat(checkout.buildCount()).isEqualTo(1);
    }

    @Test
    void aChangedOrDeletedSourceTriggersARebuild() throws Exception {
        berth("version");
        checkout.write("app/src/main/java/Main.java", "changed");
        berth("version");
        assertThat(checkout.buildCount()).isEqualTo(2);

        Files.delete(checkout.root().resolve("core/src/main/java/Ledger.java"));
        berth("version");
        assertThat(checkout.buildCount()).isEqualTo(3);
    }

    @Test
    void anOldLibraryVersionIsRemovedFromTheClassPath() throws Exception {
        assertThat(berth("version").output()).contains("first.jar");
        checkout.write("app/pom.xml", "second.jar");
        assertThat(berth("version").output()).contains("second.jar").doesNotContain("first.jar");
    }

    @Test
    void concurrentFirstRunsBuildOnce() throws Exception {
        checkout.blockMaven();
        ScriptProcess first = start("berth", Map.of(), "version");
        first.await(() -> checkout.buildCount() == 1);
        ScriptProcess second = start("berth", Map.of(), "version");
        second.await(() -> second.output().contains("another build is running in this folder; waiting for it"));
        checkout.releaseMaven();

        assertThat(first.awaitExit().exitCode()).isZero();
        assertThat(second.awaitExit().output()).contains("dev.berth.app.Main version");
        assertThat(checkout.buildCount()).isEqualTo(1);
    }

    @Test
    void stoppingTheBuildStopsMaven() throws Exception {
        checkout.blockMaven();
        ScriptProcess build = start("berth", Map.of(), "version");
        build.await(() -> checkout.buildCount() == 1);
        ProcessHandle maven = checkout.lastMaven();
        build.stop();

        Result result = build.awaitExit();
        assertThat(result.exitCode()).isEqualTo(143);
        assertThat(result.output()).contains("berth: the build was stopped");
        assertThat(maven.isAlive()).isFalse();
    }

    @Test
    void aFailedBuildPrintsTheMavenOutputAndIsRetried() throws Exception {
        Path mvn = checkout.tool("mvn");
        String works = Files.readString(mvn);
        Files.writeString(mvn, "#!/usr/bin/env bash\necho 'Ledger.java: not a statement'; exit 1\n");
        Result failed = berth("version");
        assertThat(failed.exitCode()).isEqualTo(1);
        assertThat(failed.output())
                .contains("Ledger.java: not a statement", "berth: the build failed. The whole log is in ");

        Files.writeString(mvn, works);
        assertThat(berth("version").exitCode()).isZero();
    }

    @Test
    void theCdsArchiveIsReusedUntilTheProgramChanges() throws Exception {
        Path archive = checkout.root().resolve("up/target/berth/berth.jsa");
        assertThat(berth("up").output()).contains("-XX:SharedArchiveFile=" + archive);
        assertThat(berth("run").output())
                .contains("-XX:SharedArchiveFile=" + checkout.root().resolve("app/target/berth/berth.jsa"));
        assertThat(archive).content().contains("dev.berth.up.CdsTrainingRun");
        Files.writeString(archive, "kept");
        assertThat(berth("run").output()).contains("-XX:SharedArchiveFile=").doesNotContain("training run");
        assertThat(berth("up").output()).contains("-XX:SharedArchiveFile=").doesNotContain("training run");
        assertThat(archive).content().isEqualTo("kept");

        checkout.write("app/pom.xml", "second.jar");
        berth("run");
        assertThat(archive).content().contains("dev.berth.up.CdsTrainingRun");
    }

    @Test
    void aFailedCdsTrainingRunDoesNotStopBerth() throws Exception {
        checkout.failCdsTrainingRun();
        Result result = berth("run");
        assertThat(result.exitCode()).isZero();
        assertThat(result.output()).contains("dev.berth.app.Main run").doesNotContain("SharedArchiveFile");
        assertThat(berth("run").output()).doesNotContain("training run");
    }

    @Test
    void aLinkToBerthRunsTheBerthItPointsTo() throws Exception {
        Path link = Files.createSymbolicLink(
                folder.resolve("linked"), checkout.root().resolve("berth"));
        Result result = ScriptProcess.start(checkout, link, Map.of(), "up", "--nodes", "3")
                .awaitExit();
        assertThat(result.output()).contains("a folder/berth/up/target/berth/lib/* dev.berth.up.Main up --nodes 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "install", "version"})
    void aCommandForAnExistingClusterHasNoSandboxOnItsClassPath(String command) throws Exception {
        assertThat(berth(command).output()).contains("app/target/berth/lib/* dev.berth.app.Main " + command);
    }

    @ParameterizedTest
    @ValueSource(strings = {"up", "--help", "upp", ""})
    void upAndHelpHaveTheSandboxOnTheirClassPath(String command) throws Exception {
        assertThat(berth(command).output()).contains("up/target/berth/lib/* dev.berth.up.Main " + command);
    }

    @Test
    void heapAndOptionsArePassedToJava() throws Exception {
        Map<String, String> settings = Map.of("BERTH_HEAP", "3g", "BERTH_JAVA_OPTIONS", "-Da=1 -Db=2");
        assertThat(start("berth", settings, "run").awaitExit().output()).contains("-Xmx3g -Da=1 -Db=2 -cp");
    }

    @Test
    void anInvalidHeapSizeIsReported() throws Exception {
        Result result = start("berth", Map.of("BERTH_HEAP", "lots"), "run").awaitExit();
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.output()).isEqualTo("berth: BERTH_HEAP (lots) must be an amount of memory, such as 2g.\n");
    }

    @ParameterizedTest
    @CsvSource({"11.0.2,11", "1.8.0_432,8", "16,16"})
    void aTooOldJavaIsReported(String version, String named) throws Exception {
        checkout.jdk(version);
        Result result = berth("version");
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.output())
                .contains("the java on the PATH is version " + named + ", but Berth needs 17 or newer")
                .contains("Set JAVA_HOME to a newer one.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"17", "21.0.5", "25-ea"})
    void aNewerJavaIsAccepted(String version) throws Exception {
        checkout.jdk(version);
        assertThat(berth("version").exitCode()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"berth, version", "check, fast", "bench/run, placement"})
    void aMissingToolIsReported(String script, String word) throws Exception {
        Result wrong = start(script, Map.of("JAVA_HOME", "/nowhere"), word).awaitExit();
        assertThat(wrong.exitCode()).isEqualTo(1);
        assertThat(wrong.output())
                .startsWith(script + ": java was not found in JAVA_HOME (/nowhere). Install a JDK 17");

        Files.delete(checkout.jdk().resolve("bin/javac"));
        assertThat(start(script, Map.of(), word).awaitExit().output())
                .contains("has no javac")
                .contains("Install a JDK");

        Files.delete(checkout.tool("mvn"));
        assertThat(start(script, Map.of(), word).awaitExit().output())
                .startsWith(script + ": mvn was not found on the PATH. Install Maven 3.8 or newer");

        Files.delete(checkout.tool("java"));
        Result without = start(script, Map.of(), word).awaitExit();
        assertThat(without.exitCode()).isEqualTo(1);
        assertThat(without.output()).startsWith(script + ": java was not found on the PATH. Install a JDK 17");
    }

    @Test
    void benchmarksAreListedIfNoneIsGiven() throws Exception {
        Result result = start("bench/run", Map.of()).awaitExit();
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.output()).contains("placement ", "sandbox ");
        assertThat(start("bench/run", Map.of(), "speed").awaitExit().output())
                .startsWith("bench/run: unknown benchmark (speed)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"check --help", "check fast -h", "bench/run -h", "bench/run cluster --help"})
    void helpIsPrintedWithoutABuild(String line) throws Exception {
        List<String> words = List.of(line.split(" "));

        Result result = start(
                        words.get(0), Map.of(), words.subList(1, words.size()).toArray(String[]::new))
                .awaitExit();

        assertThat(result.exitCode()).isZero();
        assertThat(result.output()).startsWith("Usage: ");
        assertThat(checkout.buildCount()).isZero();
    }

    private Result berth(String... words) throws IOException, InterruptedException {
        return start("berth", Map.of(), words).awaitExit();
    }

    private ScriptProcess start(String script, Map<String, String> environment, String... words) throws IOException {
        return ScriptProcess.start(checkout, checkout.root().resolve(script), environment, words);
    }
}
