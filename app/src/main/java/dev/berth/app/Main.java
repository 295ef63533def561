package dev.berth.app;

import dev.berth.app.cli.Console;
import dev.berth.app.cli.ExitCode;
import dev.berth.app.cli.HelpOption;
import dev.berth.app.cli.LogLevel;
import dev.berth.app.cli.UsageMessages;
import dev.berth.app.cli.UserError;
import dev.berth.app.log.LogFormat;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;

/**
 * The command {@code berth} with all that works on a cluster which is there already. The module {@code up} adds
 * {@code berth up}.
 */
@Command(
        name = "berth",
        description = "Reserves capacity on Kubernetes nodes for pods that do not exist yet.",
        synopsisSubcommandLabel = "COMMAND",
        versionProvider = VersionCommand.class,
        footer = {
            "",
            "Exit codes: 0 success, 1 failure (the message says why), 2 the command line or a setting is wrong."
        })
public final class Main implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    @Option(names = "--version", versionHelp = true, description = "Prints the versions of Berth and Java.")
    @SuppressWarnings("UnusedVariable") // The library handles it.
    private boolean versionRequested;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        System.exit(commandLine(System.getenv()).execute(args));
    }

    /**
     * The commands of this module and {@code more}.
     *
     * @param more help lists these first
     */
    public static CommandLine commandLine(Map<String, String> environment, Callable<?>... more) {
        CommandLine berth = new CommandLine(new Main());
        List<Object> commands = new ArrayList<>(List.of(more));
        commands.addAll(List.of(new RunCommand(), new InstallCommand(), new VersionCommand()));
        commands.forEach(berth::addSubcommand);
        berth.addMixin("help", new HelpOption());
        berth.getSubcommands().values().forEach(command -> command.addMixin("help", new HelpOption()));
        return berth.setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setExecutionStrategy(parsed -> executeCommand(parsed, environment))
                .setExecutionExceptionHandler((broken, command, parsed) ->
                        reportException(broken, new Console(command.getErr(), environment)))
                .setParameterExceptionHandler((wrong, args) -> reportUsageError(wrong, environment));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is required: " + joinCommands());
    }

    private String joinCommands() {
        List<String> names = List.copyOf(spec.subcommands().keySet());
        int last = names.size() - 1;
        return String.join(", ", names.subList(0, last)) + " or " + names.get(last);
    }

    /** A wrong setting must not prevent the help. */
    private static int executeCommand(ParseResult parsed, Map<String, String> environment) {
        Optional<String> complaint =
                LogLevel.validationError(environment).or(() -> LogFormat.validationError(environment));
        boolean help = parsed.asCommandLineList().stream()
                .anyMatch(command -> command.isUsageHelpRequested() || command.isVersionHelpRequested());
        if (complaint.isEmpty() || help) {
            return new RunLast().execute(parsed);
        }
        new Console(parsed.commandSpec().commandLine().getErr(), environment).printError(complaint.get());
        return ExitCode.USAGE;
    }

    private static int reportUsageError(ParameterException wrong, Map<String, String> environment) {
        CommandLine command = wrong.getCommandLine();
        Console console = new Console(command.getErr(), environment);
        console.printError(UsageMessages.message(wrong));
        StringWriter suggestions = new StringWriter();
        CommandLine.UnmatchedArgumentException.printSuggestions(wrong, new PrintWriter(suggestions, true));
        suggestions.toString().lines().forEach(console::println);
        console.println("Maybe: " + command.getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }

    private static int reportException(Exception broken, Console console) {
        if (broken instanceof UserError error) {
            console.printError(String.valueOf(error.getMessage()));
            return error.exitCode();
        }
        console.printError("internal error: " + broken);
        console.println("Report this bug. BERTH_LOG_LEVEL=debug shows more.");
        LOG.debug("unexpected", broken);
        return ExitCode.FAILED;
    }
}
