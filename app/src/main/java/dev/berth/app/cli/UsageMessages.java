package dev.berth.app.cli;

import java.util.Set;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Messages about a wrong command line, with the option, its value and the expected form. */
public final class UsageMessages {
    private static final Set<Class<?>> NUMBERS = Set.of(int.class, Integer.class);
    private static final Set<Class<?>> FLAGS = Set.of(boolean.class, Boolean.class);

    private UsageMessages() {}

    public static String message(ParameterException wrong) {
        if (wrong instanceof UnmatchedArgumentException unmatched) {
            return unmatched(unmatched);
        }
        return wrong.getCause() instanceof TypeConversionException ? wrongType(wrong) : libraryMessage(wrong);
    }

    private static String unmatched(UnmatchedArgumentException wrong) {
        String word = wrong.getUnmatched().get(0);
        CommandSpec command = wrong.getCommandLine().getCommandSpec();
        if (wrong.isUnknownOption()) {
            return "unknown option (%s) of %s".formatted(word, command.qualifiedName());
        }
        Set<String> commands = command.subcommands().keySet();
        return commands.isEmpty()
                ? "%s takes no arguments, got (%s)".formatted(command.qualifiedName(), word)
                : "unknown command (%s). Commands: %s".formatted(word, String.join(", ", commands));
    }

    private static String wrongType(ParameterException wrong) {
        ArgSpec argument = wrong.getArgSpec();
        Class<?> type = argument.auxiliaryTypes()[0];
        if (!(argument instanceof OptionSpec option) || !(NUMBERS.contains(type) || FLAGS.contains(type))) {
            return libraryMessage(wrong);
        }
        String right = NUMBERS.contains(type) ? "a whole number" : "true or false";
        return "%s (%s) must be %s".formatted(option.longestName(), wrong.getValue(), right);
    }

    private static String libraryMessage(ParameterException wrong) {
        return String.valueOf(wrong.getMessage());
    }
}
