package dev.berth.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.DoorSettings;
import dev.berth.core.hold.Origin.DoorId;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
    @TempDir
    private Path folder = Path.of("");

    private record Run(int exit, String out, String err) {}

    @ParameterizedTest
    @ValueSource(strings = {"version", "--version"})
    void theVersionIsPrinted(String word) {
        Run run = berth(word);
        assertThat(run.exit()).isZero();
        assertThat(run.out()).matches("berth \\d+\\.\\d+\\.\\d+\\S* \\(Java 1\\d.*\\)\\R|berth .*\\(Java \\d+.*\\)\\R");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "up --help", "run --help", "install --help", "version --help"})
    void everyCommandPrintsHelp(String words) {
        Run run = berth(words.split(" "));
        assertThat(run.exit()).isZero();
        assertThat(run.out()).startsWith("Usage: berth").contains("--help");
    }

    @Test
    void aMissingCommandIsAUsageError() {
        Run run = berth();
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("a command is required: up, run, install or version", "Maybe: berth --help");
    }

    @Test
    void anUnknownOptionIsReportedWithASuggestion() {
        Run run = berth("up", "--node", "3");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .contains("unknown option (--node) of berth up", "--nodes")
                .doesNotContain("at dev.berth", "Exception");
    }

    @Test
    void aMalformedNumberIsReported() {
        Run run = berth("up", "--nodes", "many");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).startsWith("berth: --nodes (many) must be a whole number");
        assertThat(berth("up", "--globalreserve-port", "x").err())
                .startsWith("berth: --globalreserve-port (x) must be a whole number");
        assertThat(berth("install", "--crds-only=perhaps").err())
                .startsWith("berth: --crds-only (perhaps) must be true or false");
    }

    @Test
    void anUnknownCommandIsReportedWithTheKnownOnes() {
        Run run = berth("upp");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("berth: unknown command (upp). Commands: up, run, install, version")
                .contains("Maybe: berth --help");
        assertThat(berth("version", "now").err()).startsWith("berth: berth version takes no arguments, got (now)");
    }

    @Test
    void everyCommandHasAOneSentenceDescription() {
        for (CommandLine command : Main.commandLine(Map.of()).getSubcommands().values()) {
            assertThat(command.getCommandSpec().usageMessage().description()[0]).endsWith(".");
            command.getCommandSpec()
                    .options()
                    .forEach(option -> assertThat(option.description()).hasSize(1));
        }
    }

    @Test
    void anInvalidLogLevelIsReportedUnlessHelpIsRequested() {
        Map<String, String> wrong = Map.of("BERTH_LOG_LEVEL", "loud");
        assertThat(berth(wrong, "version").exit()).isEqualTo(2);
        assertThat(berth(wrong, "version").err()).startsWith("berth: BERTH_LOG_LEVEL (loud) must be one of");
        assertThat(berth(wrong, "--help").exit()).isZero();
        assertThat(berth(wrong, "up", "--help").out()).startsWith("Usage: berth up");
        assertThat(berth(Map.of("BERTH_LOG_LEVEL", ""), "version").exit()).isZero();
    }

    @Test
    void upPrintsEnabledAndDisabledDoors() {
        DoorSettings all = DoorSettings.DEFAULT;
        assertThat(UpCommand.describeDoors(all))
                .isEqualTo("Enabled doors: koordinator, godel, node-annotation, globalreserve, devices."
                        + " See docs/doors");
        assertThat(UpCommand.describeDoors(
                        all.withDisabled(Set.of(DoorId.GODEL, DoorId.GLOBALRESERVE, DoorId.DEVICES))))
                .startsWith("Enabled doors: koordinator, node-annotation; disabled: godel, globalreserve, devices.");
        assertThat(UpCommand.describeDoors(all.withDisabled(all.enabled())))
                .startsWith("Enabled doors: none; disabled: koordinator, ");
    }

    @Test
    void theNodeCountIsSingularForOneNode() {
        NodeSize size = new NodeSize("8", "32Gi", 110);
        assertThat(UpCommand.describeNodes(1, size)).isEqualTo("1 node with " + size);
        assertThat(UpCommand.describeNodes(2, size)).isEqualTo("2 nodes with %s each".formatted(size));
    }

    @Test
    void anOutOfRangeNumberIsReportedWithItsRange() {
        assertThat(berth("up", "--nodes", "0").err()).contains("--nodes (0) must be from 1 to 15000");
        assertThat(berth("up", "--port", "70000").err()).contains("--port (70000) must be from 0 to 65535");
        assertThat(berth("up", "--globalreserve-port", "-1").err())
                .contains("--globalreserve-port (-1) must be from 0 to 65535");
    }

    @Test
    void aMalformedQuantityIsReported() {
        Run run = berth("up", "--memory", "32Gigs");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("--memory", "32Gigs");
    }

    @Test
    void aForeignKubeconfigIsNotOverwritten() throws Exception {
        Path file = Files.writeString(folder.resolve("config"), "apiVersion: v1\n");
        Run run = berth("up", "--kubeconfig", file.toString());
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(file.toString(), "berth up did not write it");
        assertThat(file).hasContent("apiVersion: v1");
    }

    @Test
    void aFolderIsRejectedAsKubeconfig() {
        assertThat(berth("up", "--kubeconfig", folder.toString()).err()).contains("is a folder");
    }

    @Test
    void aMissingKubeconfigIsReported() {
        Run run = berth("run", "--kubeconfig", "no/such/file");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("no/such/file").doesNotContain("at dev.berth", "Exception");
    }

    @Test
    void anUnknownConfigurationKeyStopsTheCommand() throws Exception {
        Path config = Files.writeString(folder.resolve("berth.yaml"), "schedulerName: x\n");
        Run run = berth("run", "--config", config.toString());
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("berth.yaml: unknown key (schedulerName)");
    }

    @Test
    void installManifestsGrantNoWildcards() {
        Run run = berth("install");
        assertThat(run.exit()).isZero();
        assertThat(run.out()).contains("kind: ClusterRole", "pods/binding").doesNotContain("'*'", "\"*\"", "[*]");
        assertThat(berth("install", "--crds-only").out())
                .contains("name: reservations.scheduling.koordinator.sh", "name: storedholds.berth.dev")
                .doesNotContain("ClusterRole");
    }

    @Test
    void aDisabledDoorIsNotInstalled() {
        String all = berth("install").out();
        String some = berth("install", "--disable-doors", "godel,devices").out();
        assertThat(all).contains("reservations.scheduling.godel.kubewharf.io", "deployments", "extensions.berth.dev");
        assertThat(some)
                .contains("reservations.scheduling.koordinator.sh", "storedholds.berth.dev", "resources: [storedholds]")
                .doesNotContain("godel", "deployments", "extensions.berth.dev");
        String none = berth(
                        "install",
                        "--disable-doors=koordinator",
                        "--disable-doors=godel,node-annotation,globalreserve,devices")
                .out();
        assertThat(none).contains("pods/binding").doesNotContain("CustomResourceDefinition", "reservations", "holds");
    }

    @ParameterizedTest
    @ValueSource(strings = {"up", "run", "install"})
    void anUnknownDoorIsReportedWithTheKnownDoors(String command) {
        Run run = berth(command, "--disable-doors", "comeback");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("berth: --disable-doors (comeback) is not a door. Doors: " + DoorId.joinAll())
                .contains("Maybe: berth %s --help".formatted(command));
        assertThat(berth(command, "--help").out().replaceAll("\\s+", " ")).contains(DoorId.joinAll());
    }

    /** No alias is kept. */
    @ParameterizedTest
    @CsvSource({"up, --without", "run, --without", "install, --without", "up, --reserve-port"})
    void aFlagOfAnEarlierVersionIsUnknown(String command, String flag) {
        Run run = berth(command, flag, "0");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("berth: unknown option (%s) of berth %s".formatted(flag, command))
                .contains("Maybe: berth %s --help".formatted(command));
    }

    @Test
    void theGlobalReserveApiRequiresItsDoor() throws Exception {
        Path config = Files.writeString(folder.resolve("berth.yaml"), "globalreserve: {api: {enabled: true}}\n");
        Run run = berth("run", "--config", config.toString(), "--disable-doors", "globalreserve");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .startsWith(
                        "berth: globalreserve.api.enabled (true) needs the door (globalreserve), which is disabled");
        assertThat(berth("up", "--disable-doors", "globalreserve", "--globalreserve-port", "0")
                        .err())
                .startsWith("berth: --globalreserve-port (0) has no effect: the door (globalreserve) is disabled");
    }

    private static Run berth(String... words) {
        return berth(Map.of(), words);
    }

    private static Run berth(Map<String, String> environment, String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine command =
                Main.commandLine(environment).setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int exit = command.execute(words);
        return new Run(exit, out.toString(), err.toString());
    }
}
