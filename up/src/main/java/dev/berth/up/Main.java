package dev.berth.up;

import java.util.Map;
import picocli.CommandLine;

/** The command {@code berth} with {@code berth up}: the entry point that has the sandbox on its class path. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine(System.getenv()).execute(args));
    }

    static CommandLine commandLine(Map<String, String> environment) {
        CommandLine berth = dev.berth.app.Main.commandLine(environment, new UpCommand());
        berth.getCommandSpec().usageMessage().footerHeading("%nStart with: berth up%n");
        return berth;
    }
}
