package dev.berth.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.app.config.DoorName;
import dev.berth.app.config.DoorSettings;
import dev.berth.app.up.NodeSize;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
    @TempDir
    private Path folder = Path.of("");

    private record Run(int exit, String out, String err) {}

    @ParameterizedTest
    @ValueSource(strings = {"version", "--version"})
    void theVersionIsSaid(String word) {
        Run run = berth(word);
        assertThat(run.exit()).isZero();
        assertThat(run.out()).matches("berth \\d+\\.\\d+\\.\\d+\\S* \\(Java 1\\d.*\\)\\R|berth .*\\(Java \\d+.*\\)\\R");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "up --help", "run --help", "install --help", "version --help"})
    void everyCommandExplainsItself(String words) {
        Run run = berth(words.split(" "));
        assertThat(run.exit()).isZero();
        assertThat(run.out()).startsWith("Usage: berth").contains("--help");
    }

    @Test
    void aMissingCommandIsAnErrorOfUsage() {
        Run run = berth();
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("a command is missing: up, run, install or version", "Maybe: berth --help");
    }

    @Test
    void anUnknownOptionIsNamedAndTheRightOneProposed() {
        Run run = berth("up", "--node", "3");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .contains("option (--node) is not known to berth up", "--nodes")
                .doesNotContain("at dev.berth", "Exception");
    }

    @Test
    void aNumberThatIsNoneIsNamed() {
        Run run = berth("up", "--nodes", "many");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).startsWith("berth: --nodes (many) must be a whole number");
        assertThat(berth("up", "--reserve-port", "x").err())
                .startsWith("berth: --reserve-port (x) must be a whole number");
        assertThat(berth("install", "--crds-only=perhaps").err())
                .startsWith("berth: --crds-only (perhaps) must be true or false");
    }

    @Test
    void aMisspeltCommandIsNamedWithThoseThereAre() {
        Run run = berth("upp");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("berth: command (upp) is not known. Known: up, run, install, version")
                .contains("Maybe: berth --help");
        assertThat(berth("version", "now").err()).startsWith("berth: berth version takes options only, and (now)");
    }

    @Test
    void whatACommandDoesIsSaidInOneSentenceInTheListOfAll() {
        for (CommandLine command : Main.commandLine(Map.of()).getSubcommands().values()) {
            assertThat(command.getCommandSpec().usageMessage().description()[0]).endsWith(".");
            command.getCommandSpec()
                    .options()
                    .forEach(option -> assertThat(option.description()).hasSize(1));
        }
    }

    @Test
    void aWrongLogLevelIsNamedButKeepsNobodyFromTheHelp() {
        Map<String, String> wrong = Map.of("BERTH_LOG", "loud");
        assertThat(berth(wrong, "version").exit()).isEqualTo(2);
        assertThat(berth(wrong, "version").err()).startsWith("berth: BERTH_LOG (loud) must be one of");
        assertThat(berth(wrong, "--help").exit()).isZero();
        assertThat(berth(wrong, "up", "--help").out()).startsWith("Usage: berth up");
        assertThat(berth(Map.of("BERTH_LOG", ""), "version").exit()).isZero();
    }

    @Test
    void upSaysWhichDoorsAreOpen() {
        DoorSettings all = DoorSettings.DEFAULT;
        assertThat(UpCommand.doors(all))
                .isEqualTo("Open doors: reservation, return, node-annotation, reserve, devices."
                        + " What to write for each is in docs/doors");
        assertThat(UpCommand.doors(all.without(Set.of(DoorName.RETURN, DoorName.RESERVE, DoorName.DEVICES))))
                .startsWith("Open doors: reservation, node-annotation; left out: return, reserve, devices.");
        assertThat(UpCommand.doors(all.without(all.open()))).startsWith("Open doors: none; left out: reservation, ");
    }

    @Test
    void oneNodeIsNotMany() {
        NodeSize size = new NodeSize("8", "32Gi", 110);
        assertThat(UpCommand.described(1, size)).isEqualTo("1 node with " + size);
        assertThat(UpCommand.described(2, size)).isEqualTo("2 nodes with %s each".formatted(size));
    }

    @Test
    void aNumberOutOfBoundsIsNamedWithTheBounds() {
        assertThat(berth("up", "--nodes", "0").err()).contains("--nodes (0) must be from 1 to 15000");
        assertThat(berth("up", "--port", "70000").err()).contains("--port (70000) must be from 0 to 65535");
        assertThat(berth("up", "--reserve-port", "-1").err()).contains("--reserve-port (-1) must be from 0 to 65535");
    }

    @Test
    void aQuantityThatIsNoneIsNamed() {
        Run run = berth("up", "--memory", "32Gigs");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("--memory", "32Gigs");
    }

    @Test
    void aKubeconfigThatSomebodyElseMadeIsNotOverwritten() throws Exception {
        Path file = Files.writeString(folder.resolve("config"), "apiVersion: v1\n");
        Run run = berth("up", "--kubeconfig", file.toString());
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(file.toString(), "not one of ours");
        assertThat(file).hasContent("apiVersion: v1");
    }

    @Test
    void aFolderIsNoKubeconfig() {
        assertThat(berth("up", "--kubeconfig", folder.toString()).err()).contains("is a folder");
    }

    @Test
    void aMissingKubeconfigIsNamed() {
        Run run = berth("run", "--kubeconfig", "no/such/file");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("no/such/file").doesNotContain("at dev.berth", "Exception");
    }

    @Test
    void aWrongConfigurationKeyEndsTheCommandBeforeItBegins() throws Exception {
        Path config = Files.writeString(folder.resolve("berth.yaml"), "schedulerName: x\n");
        Run run = berth("run", "--config", config.toString());
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("berth.yaml: key (schedulerName) is not known");
    }

    @Test
    void theInstallManifestsAreYamlAndAskForNoWildcard() {
        Run run = berth("install");
        assertThat(run.exit()).isZero();
        assertThat(run.out()).contains("kind: ClusterRole", "pods/binding").doesNotContain("'*'", "\"*\"", "[*]");
        assertThat(berth("install", "--crds-only").out())
                .contains("name: reservations.scheduling.koordinator.sh", "name: holds.berth.dev")
                .doesNotContain("ClusterRole");
    }

    @Test
    void aDoorThatIsLeftOutIsNotInstalled() {
        String all = berth("install").out();
        String some = berth("install", "--without", "return,devices").out();
        assertThat(all).contains("reservations.scheduling.godel.kubewharf.io", "deployments", "extensions.berth.dev");
        assertThat(some)
                .contains("reservations.scheduling.koordinator.sh", "holds.berth.dev", "resources: [holds]")
                .doesNotContain("godel", "deployments", "extensions.berth.dev");
        String none = berth("install", "--without=reservation", "--without=return,node-annotation,reserve,devices")
                .out();
        assertThat(none).contains("pods/binding").doesNotContain("CustomResourceDefinition", "reservations", "holds");
    }

    @ParameterizedTest
    @ValueSource(strings = {"up", "run", "install"})
    void aDoorThatIsNoneIsNamedWithThoseThereAre(String command) {
        Run run = berth(command, "--without", "comeback");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("berth: --without (comeback) is no door. Doors: " + DoorName.list())
                .contains("Maybe: berth %s --help".formatted(command));
        assertThat(berth(command, "--help").out().replaceAll("\\s+", " ")).contains(DoorName.list());
    }

    @Test
    void theReserveApiIsNotOpenedWithoutItsDoor() throws Exception {
        Path config = Files.writeString(folder.resolve("berth.yaml"), "reserveApi: {enabled: true}\n");
        Run run = berth("run", "--config", config.toString(), "--without", "reserve");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("berth: reserveApi.enabled (true) needs the door (reserve), which is left out");
        assertThat(berth("up", "--without", "reserve", "--reserve-port", "0").err())
                .startsWith("berth: --reserve-port (0) is of no use without the door (reserve)");
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
