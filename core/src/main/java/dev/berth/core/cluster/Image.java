package dev.berth.core.cluster;

import java.util.List;

/** A container image on a node, with all its names there. */
public record Image(List<String> names, long bytes) {
    public Image {
        names = List.copyOf(names);
    }
}
