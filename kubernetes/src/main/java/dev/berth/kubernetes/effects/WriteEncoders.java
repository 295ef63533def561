package dev.berth.kubernetes.effects;

import dev.berth.core.effect.Effect;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** The encoder of each kind of write. */
public final class WriteEncoders {
    private final Map<Class<?>, Function<Effect.Write, WriteRequest>> encoders = new HashMap<>();

    public <W extends Effect.Write> WriteEncoders register(Class<W> kind, Function<W, WriteRequest> encoder) {
        if (encoders.put(kind, write -> encoder.apply(kind.cast(write))) != null) {
            throw new IllegalArgumentException("an encoder of (%s) is already registered".formatted(kind.getName()));
        }
        return this;
    }

    public WriteRequest encode(Effect.Write write) {
        Function<Effect.Write, WriteRequest> encoder = encoders.get(write.getClass());
        if (encoder == null) {
            throw new IllegalArgumentException("no encoder of (%s) is registered"
                    .formatted(write.getClass().getName()));
        }
        return encoder.apply(write);
    }
}
