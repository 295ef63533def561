package dev.berth.bench.holds;

import java.util.List;

/** Something that is played at several sizes. */
interface Load {
    String name();

    /** What the time is divided by, in words. */
    String each();

    /** The largest size that Berth accepts unless it is configured otherwise. */
    int mostByDefault();

    /** How long it may take. */
    List<Aim> aims();

    /** Makes what must be there before; not measured. */
    void prepare(Stage stage, int size) throws Stage.TooSlow, InterruptedException;

    /**
     * Plays it to its end.
     *
     * @return by how much the time is divided
     */
    int play(Stage stage, int size) throws Stage.TooSlow, InterruptedException;
}
