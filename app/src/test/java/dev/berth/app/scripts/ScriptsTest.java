package dev.berth.app.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.scripts.Running.Ended;
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
    void theFirstUseBuildsAndTheNextDoesNot() throws Exception {
        assertThat(berth("version").said()).startsWith("building Berth").contains("dev.berth.app.Main version");
        assertThat(berth("version").said()).doesNotContain("building");
        assertThat(checkout.builds()).isEqualTo(1);
    }

    @Test
    void aChangedAndADeletedSourceAreBuiltAnew() throws Exception {
        berth("version");
        checkout.write("app/src/main/java/Main.java", "changed");
        berth("version");
        assertThat(checkout.builds()).isEqualTo(2);

        Files.delete(checkout.root().resolve("core/src/main/java/Ledger.java"));
        berth("version");
        assertThat(checkout.builds()).isEqualTo(3);
    }

    @Test
    void aLibrarysFormerVersionIsNotOnTheClassPath() throws Exception {
        assertThat(berth("version").said()).contains("first.jar");
        checkout.write("app/pom.xml", "second.jar");
        assertThat(berth("version").said()).contains("second.jar").doesNotContain("first.jar");
    }

    @Test
    void twoFirstUsesAtOnceBuildOnce() throws Exception {
        checkout.closeGate();
        Running first = start("berth", Map.of(), "version");
        first.await(() -> checkout.builds() == 1);
        Running second = start("berth", Map.of(), "version");
        second.await(() -> second.said().contains("another build in this folder is under way; waiting for it"));
        checkout.openGate();

        assertThat(first.end().code()).isZero();
        assertThat(second.end().said()).contains("dev.berth.app.Main version");
        assertThat(checkout.builds()).isEqualTo(1);
    }

    @Test
    void whoStopsTheBuildStopsMaven() throws Exception {
        checkout.closeGate();
        Running build = start("berth", Map.of(), "version");
        build.await(() -> checkout.builds() == 1);
        ProcessHandle maven = checkout.lastMaven();
        build.stop();

        Ended ended = build.end();
        assertThat(ended.code()).isEqualTo(143);
        assertThat(ended.said()).contains("berth: the build was stopped");
        assertThat(maven.isAlive()).isFalse();
    }

    @Test
    void aFailedBuildSaysWhatMavenSaidAndIsTriedAgain() throws Exception {
        Path mvn = checkout.tool("mvn");
        String works = Files.readString(mvn);
        Files.writeString(mvn, "#!/usr/bin/env bash\necho 'Ledger.java: not a statement'; exit 1\n");
        Ended failed = berth("version");
        assertThat(failed.code()).isEqualTo(1);
        assertThat(failed.said())
                .contains("Ledger.java: not a statement", "berth: the build failed; all it said is in ");

        Files.writeString(mvn, works);
        assertThat(berth("version").code()).isZero();
    }

    @Test
    void whatJavaReadAtTheRehearsalIsUsedUntilTheProgramChanges() throws Exception {
        Path archive = checkout.root().resolve("app/target/berth/berth.jsa");
        assertThat(berth("run").said()).contains("-XX:SharedArchiveFile=" + archive);
        assertThat(archive).content().contains("dev.berth.app.Rehearsal");
        Files.writeString(archive, "kept");
        assertThat(berth("run").said()).contains("-XX:SharedArchiveFile=").doesNotContain("rehearsing");
        assertThat(archive).content().isEqualTo("kept");

        checkout.write("app/pom.xml", "second.jar");
        berth("run");
        assertThat(archive).content().contains("dev.berth.app.Rehearsal");
    }

    @Test
    void aRehearsalThatFailsIsNotMissed() throws Exception {
        checkout.failRehearsal();
        Ended ended = berth("run");
        assertThat(ended.code()).isZero();
        assertThat(ended.said()).contains("dev.berth.app.Main run").doesNotContain("SharedArchiveFile");
        assertThat(berth("run").said()).doesNotContain("rehearsing");
    }

    @Test
    void aLinkToBerthRunsTheBerthItPointsTo() throws Exception {
        Path link = Files.createSymbolicLink(
                folder.resolve("linked"), checkout.root().resolve("berth"));
        Ended ended =
                Running.start(checkout, link, Map.of(), "up", "--nodes", "3").end();
        assertThat(ended.said()).contains("a folder/berth/app/target/berth/lib/* dev.berth.app.Main up --nodes 3");
    }

    @Test
    void heapAndOptionsGoToJava() throws Exception {
        Map<String, String> settings = Map.of("BERTH_HEAP", "3g", "BERTH_JAVA_OPTIONS", "-Da=1 -Db=2");
        assertThat(start("berth", settings, "run").end().said()).contains("-Xmx3g -Da=1 -Db=2 -cp");
    }

    @Test
    void aHeapThatIsNoneIsNamed() throws Exception {
        Ended ended = start("berth", Map.of("BERTH_HEAP", "lots"), "run").end();
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.said()).isEqualTo("berth: BERTH_HEAP (lots) is no amount of memory. Maybe 2g.\n");
    }

    @ParameterizedTest
    @CsvSource({"11.0.2,11", "1.8.0_432,8", "16,16"})
    void aJavaThatIsTooOldIsNamed(String version, String named) throws Exception {
        checkout.jdk(version);
        Ended ended = berth("version");
        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.said())
                .contains("the java on the PATH is version " + named + ", and Berth needs 17 or newer")
                .contains("Maybe point JAVA_HOME at a newer one.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"17", "21.0.5", "25-ea"})
    void aNewerJavaWillDo(String version) throws Exception {
        checkout.jdk(version);
        assertThat(berth("version").code()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"berth, version", "check, fast", "bench/run, placement"})
    void whatIsMissingIsNamed(String script, String word) throws Exception {
        Ended wrong = start(script, Map.of("JAVA_HOME", "/nowhere"), word).end();
        assertThat(wrong.code()).isEqualTo(1);
        assertThat(wrong.said())
                .startsWith(script + ": there is no java in JAVA_HOME (/nowhere). Maybe install a JDK 17");

        Files.delete(checkout.jdk().resolve("bin/javac"));
        assertThat(start(script, Map.of(), word).end().said())
                .contains("has no javac")
                .contains("Maybe install a JDK");

        Files.delete(checkout.tool("mvn"));
        assertThat(start(script, Map.of(), word).end().said())
                .startsWith(script + ": there is no mvn on the PATH. Maybe install Maven 3.8 or newer");

        Files.delete(checkout.tool("java"));
        Ended without = start(script, Map.of(), word).end();
        assertThat(without.code()).isEqualTo(1);
        assertThat(without.said()).startsWith(script + ": there is no java on the PATH. Maybe install a JDK 17");
    }

    @Test
    void benchmarksAreListedWhereNoneIsNamed() throws Exception {
        Ended ended = start("bench/run", Map.of()).end();
        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.said()).contains("placement ", "embedded ");
        assertThat(start("bench/run", Map.of(), "speed").end().said())
                .startsWith("bench/run: there is no benchmark (speed)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"check --help", "check fast -h", "bench/run -h", "bench/run cluster --help"})
    void helpIsGivenWhereverItIsAskedForAndNothingIsBuilt(String line) throws Exception {
        List<String> words = List.of(line.split(" "));

        Ended ended = start(
                        words.get(0), Map.of(), words.subList(1, words.size()).toArray(String[]::new))
                .end();

        assertThat(ended.code()).isZero();
        assertThat(ended.said()).startsWith("Usage: ");
        assertThat(checkout.builds()).isZero();
    }

    private Ended berth(String... words) throws IOException, InterruptedException {
        return start("berth", Map.of(), words).end();
    }

    private Running start(String script, Map<String, String> environment, String... words) throws IOException {
        return Running.start(checkout, checkout.root().resolve(script), environment, words);
    }
}
