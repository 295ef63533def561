package dev.berth.core.queue;

/** What a refused pod waits for. Says no only when the happening cannot help: a wrong yes costs one more look. */
@FunctionalInterface
public interface Remedy {
    boolean mayComeFrom(Happening happening);
}
