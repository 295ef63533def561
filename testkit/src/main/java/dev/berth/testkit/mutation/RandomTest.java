package dev.berth.testkit.mutation;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/**
 * A generator of random histories: a method of a test class that runs the history of a seed. It fails by throwing, or
 * by returning an Optional with the problem.
 *
 * @param method takes only the seed
 * @param firstSeed the first of consecutive seeds
 */
public record RandomTest(String className, String method, long firstSeed) {
    public String simpleName() {
        return className.substring(className.lastIndexOf('.') + 1);
    }

    /** The problem of the history, with the classes of this loader. */
    Optional<Object> failure(ClassLoader classes, long seed) throws ReflectiveOperationException {
        Class<?> type = Class.forName(className, true, classes);
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Method history = type.getDeclaredMethod(method, long.class);
        history.setAccessible(true);
        Object test = constructor.newInstance();
        try {
            @Nullable Object result = history.invoke(test, seed);
            return result instanceof Optional<?> problem ? problem.map(it -> it) : Optional.empty();
        } catch (InvocationTargetException failed) {
            return Optional.of(Objects.requireNonNullElse(failed.getCause(), failed));
        } finally {
            close(type, test);
        }
    }

    private static void close(Class<?> type, Object test) throws ReflectiveOperationException {
        for (Method after : type.getDeclaredMethods()) {
            if (after.isAnnotationPresent(AfterEach.class)) {
                after.setAccessible(true);
                after.invoke(test);
            }
        }
    }
}
