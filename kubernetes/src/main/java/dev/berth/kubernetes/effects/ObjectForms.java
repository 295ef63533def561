package dev.berth.kubernetes.effects;

import dev.berth.core.decision.Effect;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** How what doors want written looks on the wire: one form for each kind of write. */
public final class ObjectForms {
    private final Map<Class<?>, Function<Effect.Write, ObjectRequest>> forms = new HashMap<>();

    public <W extends Effect.Write> ObjectForms with(Class<W> kind, Function<W, ObjectRequest> form) {
        if (forms.put(kind, write -> form.apply(kind.cast(write))) != null) {
            throw new IllegalArgumentException("(%s) has a form already".formatted(kind.getName()));
        }
        return this;
    }

    public ObjectRequest of(Effect.Write write) {
        Function<Effect.Write, ObjectRequest> form = forms.get(write.getClass());
        if (form == null) {
            throw new IllegalArgumentException(
                    "(%s) has no form on the wire".formatted(write.getClass().getName()));
        }
        return form.apply(write);
    }
}
