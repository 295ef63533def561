package dev.berth.core.testing;

import static java.util.Objects.requireNonNull;

import java.lang.StackWalker.StackFrame;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/**
 * Seeds of random histories. A history that fails names the command that runs it alone. That command sets {@code
 * -Dberth.seed}; {@code -Dberth.histories} sets how many histories run, from that seed on or from a test's own first seed.
 *
 * @see RandomHistories
 */
public final class RandomSeeds {
    private static final String SEED = "berth.seed";
    private static final String HISTORIES = "berth.histories";
    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private RandomSeeds() {}

    /** A random history: the seed decides everything that happens in it. */
    public interface History {
        void run(long seed) throws Exception;
    }

    /** The seeds of this run: {@code count} from the first on, unless properties say otherwise. */
    public static LongStream range(long first, int count) {
        Optional<Long> seed = Optional.ofNullable(Long.getLong(SEED));
        long from = seed.orElse(first);
        return LongStream.range(from, from + Integer.getInteger(HISTORIES, seed.isPresent() ? 1 : count));
    }

    /** A first seed that no run had before. Counting on from it does not overflow. */
    public static long fresh() {
        return new Random().nextLong() >> 8;
    }

    /** Runs a history from each seed of {@link #range}, within a test method that the failure is to name. */
    public static void forEach(long first, int count, History history) {
        Method test = callingTest();
        range(first, count).forEach(seed -> run(history, seed, test));
    }

    /** Checks what all histories together must show, for example that each operation happened. A replay of one skips it. */
    public static void checkOverAll(Runnable assertion) {
        if (System.getProperty(SEED) == null && System.getProperty(HISTORIES) == null) {
            assertion.run();
        }
    }

    private static void run(History history, long seed, Method test) {
        try {
            history.run(seed);
        } catch (TestAbortedException skipped) {
            throw skipped;
        } catch (Exception | AssertionError | StackOverflowError failure) {
            throw withReplayCommand(failure, test.getDeclaringClass(), test.getName(), seed);
        }
    }

    static AssertionError withReplayCommand(Throwable failure, Class<?> test, String method, long seed) {
        return new AssertionError(
                "%s%nReplay: %s".formatted(failure.getMessage(), replayCommand(test, method, seed)), failure);
    }

    /** What runs one history again, at the root of the repository. Surefire runs tests in the folder of their module. */
    static String replayCommand(Class<?> test, String method, long seed) {
        Path module = requireNonNull(Path.of("").toAbsolutePath().getFileName());
        String name = test.getName().substring(test.getPackageName().length() + 1);
        return "mvn test -pl %s -am -Dtest='%s#%s' -Dsurefire.failIfNoSpecifiedTests=false -Dtests.excluded= -D%s=%d"
                .formatted(module, name, method, SEED, seed);
    }

    private static Method callingTest() {
        return STACK.walk(frames -> frames.map(RandomSeeds::testMethod)
                        .flatMap(Optional::stream)
                        .findFirst())
                .orElseThrow(() -> new IllegalStateException("no test method calls this"));
    }

    private static Optional<Method> testMethod(StackFrame frame) {
        return Arrays.stream(frame.getDeclaringClass().getDeclaredMethods())
                .filter(method -> method.getName().equals(frame.getMethodName()))
                .filter(method -> AnnotationSupport.isAnnotated(method, Testable.class))
                .findFirst();
    }
}
