package dev.berth.core.testing;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/** Invokes a test with {@link RandomHistories} once for each of its seeds. */
final class RandomHistoriesExtension implements TestTemplateInvocationContextProvider {
    @Override
    public boolean supportsTestTemplate(ExtensionContext template) {
        return true;
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext template) {
        RandomHistories histories = AnnotationSupport.findAnnotation(
                        template.getRequiredTestMethod(), RandomHistories.class)
                .orElseThrow();
        long first = histories.fresh() ? RandomSeeds.fresh() : histories.first();
        return RandomSeeds.range(first, histories.count()).mapToObj(History::new);
    }

    private record History(long seed)
            implements TestTemplateInvocationContext, ParameterResolver, TestExecutionExceptionHandler {
        @Override
        public String getDisplayName(int invocation) {
            return "seed " + seed;
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(this);
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
            return parameter.getParameter().getType() == long.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
            return seed;
        }

        @Override
        public void handleTestExecutionException(ExtensionContext test, Throwable failure) throws Throwable {
            if (failure instanceof TestAbortedException) {
                throw failure;
            }
            throw RandomSeeds.withReplayCommand(
                    failure,
                    test.getRequiredTestClass(),
                    test.getRequiredTestMethod().getName(),
                    seed);
        }
    }
}
