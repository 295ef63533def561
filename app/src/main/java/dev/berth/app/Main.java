package dev.berth.app;

import java.io.PrintWriter;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code berth}. */
@Command(
        name = "berth",
        description = "Keeps places on Kubernetes nodes for pods that are not there yet.",
        subcommands = {UpCommand.class, RunCommand.class, InstallCommand.class, VersionCommand.class},
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Start with: berth up",
            "",
            "Exit codes: 0 all went well, 1 it failed and says why, 2 the command line or a setting is wrong."
        })
public final class Main implements Runnable {
    /** How a command ends. */
    static final class Exit {
        static final int OK = 0;
        static final int FAILED = 1;
        static final int USAGE = 2;

        private Exit() {}
    }

    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        System.exit(run(args, System.getenv()));
    }

    private static int run(String[] args, Map<String, String> environment) {
        CommandLine command = commandLine();
        Optional<String> complaint = LogLevel.complaint(environment);
        complaint.ifPresent(wrong -> command.getErr().println("berth: " + wrong));
        return complaint.isPresent() ? Exit.USAGE : command.execute(args);
    }

    static CommandLine commandLine() {
        CommandLine berth = new CommandLine(new Main());
        berth.addMixin("help", new HelpOption());
        berth.getSubcommands().values().forEach(command -> command.addMixin("help", new HelpOption()));
        return berth.setCaseInsensitiveEnumValuesAllowed(true)
                .setUsageHelpAutoWidth(true)
                .setExecutionExceptionHandler((broken, command, parsed) -> explain(broken, command))
                .setParameterExceptionHandler((wrong, args) -> misused(wrong));
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing: up, run, install or version");
    }

    private static int misused(ParameterException wrong) {
        CommandLine command = wrong.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("berth: " + wrong.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(wrong, err);
        err.println("Maybe: " + command.getCommandSpec().qualifiedName() + " --help");
        return Exit.USAGE;
    }

    private static int explain(Exception broken, CommandLine command) {
        PrintWriter err = command.getErr();
        if (broken instanceof UserError error) {
            err.println("berth: " + error.getMessage());
            return error.exitCode();
        }
        err.println("berth: this should not have happened: " + broken);
        err.println("With BERTH_LOG=debug it says more.");
        LOG.debug("unexpected", broken);
        return Exit.FAILED;
    }
}
