package dev.berth.app;

import dev.berth.app.config.DoorName;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code --without}: the doors that are left out. */
final class WithoutOption {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--without",
            paramLabel = "DOOR",
            split = ",",
            description = "Leaves this door out, or several: reservation, return, node-annotation, reserve, devices.")
    private List<String> names = new ArrayList<>();

    Set<DoorName> doors() {
        Set<DoorName> doors = EnumSet.noneOf(DoorName.class);
        for (String name : names) {
            try {
                doors.add(DoorName.named(name));
            } catch (IllegalArgumentException unknown) {
                throw new ParameterException(spec.commandLine(), "--without " + unknown.getMessage(), unknown);
            }
        }
        return doors;
    }
}
