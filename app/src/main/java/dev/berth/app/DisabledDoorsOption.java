package dev.berth.app;

import dev.berth.core.hold.Origin.DoorId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code --disable-doors}: the doors that are disabled. */
public final class DisabledDoorsOption {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--disable-doors",
            paramLabel = "DOOR",
            split = ",",
            description =
                    "Disables this door, or several: koordinator, godel, node-annotation," + " globalreserve, devices.")
    private List<String> names = new ArrayList<>();

    public Set<DoorId> doors() {
        Set<DoorId> doors = EnumSet.noneOf(DoorId.class);
        for (String name : names) {
            try {
                doors.add(DoorId.parse(name));
            } catch (IllegalArgumentException unknown) {
                throw new ParameterException(spec.commandLine(), "--disable-doors " + unknown.getMessage(), unknown);
            }
        }
        return doors;
    }
}
