package dev.berth.e2e.scenario.testcluster;

import dev.berth.testkit.stage.Stage;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test a {@link Scenario} that ends with the test. All tests of a JVM share one cluster of each {@link Stage}.
 * It starts when the first test needs it and closes after the last test. A test that changes the cluster itself starts its
 * own.
 */
public final class TestClusterExtension implements ParameterResolver {
    private static final ExtensionContext.Namespace STORE =
            ExtensionContext.Namespace.create(TestClusterExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
        return parameter.getParameter().getType() == Scenario.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
        Scenario scenario = new Scenario(testCluster(test));
        // Whatever is in a test's own store is closed when the test ends.
        test.getStore(STORE).put(Scenario.class, scenario);
        return scenario;
    }

    private static TestCluster testCluster(ExtensionContext test) {
        return test.getRoot()
                .getStore(STORE)
                .computeIfAbsent(Stage.of(test), Attempt::start, Attempt.class)
                .testCluster();
    }

    /** A failed start is kept too. Otherwise a hundred tests would each wait a minute for the same failure. */
    private record Attempt(Optional<TestCluster> cluster, Optional<RuntimeException> failure) implements AutoCloseable {
        static Attempt start(Stage stage) {
            try {
                return new Attempt(Optional.of(TestClusterExtension.start(stage)), Optional.empty());
            } catch (RuntimeException failure) {
                return new Attempt(Optional.empty(), Optional.of(failure));
            }
        }

        TestCluster testCluster() {
            return cluster.orElseThrow(
                    () -> new IllegalStateException("the test cluster did not start", failure.orElseThrow()));
        }

        @Override
        public void close() {
            cluster.ifPresent(TestCluster::close);
        }
    }

    private static TestCluster start(Stage stage) {
        try {
            return switch (stage) {
                case SANDBOX -> new UpTestCluster();
                case REAL -> new RealTestCluster();
                case KUBE_SCHEDULER -> new KubeSchedulerTestCluster();
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the cluster of stage %s started".formatted(stage), e);
        }
    }
}
