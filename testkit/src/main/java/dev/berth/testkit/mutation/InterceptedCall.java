package dev.berth.testkit.mutation;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One call of a replaced method. */
public final class InterceptedCall {
    /** The name of the original body of a replaced method. */
    static final String ORIGINAL_SUFFIX = "$right";

    private final Class<?> owner;
    private final String name;
    private final @Nullable Object self;
    private final @Nullable Object[] arguments;
    private @Nullable Throwable thrownByProduct;

    InterceptedCall(Class<?> owner, String name, @Nullable Object self, @Nullable Object[] arguments) {
        this.owner = owner;
        this.name = name;
        this.self = self;
        this.arguments = arguments;
    }

    /** Unchecked: the signature of the defect names the types. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <T> T argument(int index) {
        return (T) requirePresent(arguments[index], "argument %d".formatted(index));
    }

    /** A field of the object whose method is replaced. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <T> T field(String fieldName) throws ReflectiveOperationException {
        return (T) requirePresent(findField(fieldName).get(self), fieldName);
    }

    public void set(String fieldName, Object value) throws ReflectiveOperationException {
        findField(fieldName).set(self, value);
    }

    /** Calls the original body. */
    public @Nullable Object callOriginal() throws Throwable {
        return invoke(name + ORIGINAL_SUFFIX, arguments);
    }

    /** Calls the original body with other arguments. */
    public @Nullable Object callOriginal(@Nullable Object... others) throws Throwable {
        return invoke(name + ORIGINAL_SUFFIX, others);
    }

    /** Calls a different method of the object. */
    public @Nullable Object invoke(String method, @Nullable Object... others) throws Throwable {
        Method found = Arrays.stream(owner.getDeclaredMethods())
                .filter(it -> it.getName().equals(method) && it.getParameterCount() == others.length)
                .findFirst()
                .orElseThrow(() -> new NoSuchMethodException(
                        "%s has no method %s of %d parameters".formatted(owner.getName(), method, others.length)));
        try {
            return makeAccessible(found).invoke(self, others);
        } catch (InvocationTargetException thrown) {
            Throwable cause = Objects.requireNonNullElse(thrown.getCause(), thrown);
            thrownByProduct = cause;
            throw cause;
        }
    }

    /** Throws as the product would: the defect is that it throws. */
    public RuntimeException throwAsProduct(RuntimeException exception) {
        thrownByProduct = exception;
        throw exception;
    }

    /** Whether the product threw it, and not the faulty body. */
    boolean wasThrownByProduct(Throwable thrown) {
        return thrown == thrownByProduct;
    }

    private Field findField(String fieldName) throws NoSuchFieldException {
        return makeAccessible(owner.getDeclaredField(fieldName));
    }

    private static <T extends AccessibleObject> T makeAccessible(T member) {
        member.setAccessible(true);
        return member;
    }

    private static Object requirePresent(@Nullable Object value, String what) {
        if (value == null) {
            throw new IllegalStateException("%s is null".formatted(what));
        }
        return value;
    }
}
