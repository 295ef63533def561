package dev.berth.core.cluster;

import java.util.List;

/** A container image that lies on a node, under all names it is known by there. */
public record Image(List<String> names, long bytes) {
    public Image {
        names = List.copyOf(names);
    }
}
