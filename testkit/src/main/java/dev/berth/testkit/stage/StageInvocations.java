package dev.berth.testkit.stage;

import dev.berth.testkit.controlplane.SharedControlPlaneExtension;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContextProvider;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Invokes a class with {@link OnStages} once for each of its stages that this run chooses. */
final class StageInvocations implements ExecutionCondition, ClassTemplateInvocationContextProvider {
    @Override
    public boolean supportsClassTemplate(ExtensionContext template) {
        return true;
    }

    @Override
    public Stream<? extends ClassTemplateInvocationContext> provideClassTemplateInvocationContexts(
            ExtensionContext template) {
        return chosen(stages(template).orElseThrow()).stream().map(OnStage::new);
    }

    /** The set-up of a class runs before its first invocation. A class without a stage in this run must not set up. */
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext test) {
        Optional<OnStages> stages = test.getTestMethod().isPresent() ? Optional.empty() : stages(test);
        return stages.filter(it -> chosen(it).isEmpty())
                .map(it -> ConditionEvaluationResult.disabled(
                        "this run has none of the stages " + Arrays.toString(it.value())))
                .orElse(ConditionEvaluationResult.enabled("this run has a stage of this class"));
    }

    private static Optional<OnStages> stages(ExtensionContext test) {
        return AnnotationSupport.findAnnotation(test.getRequiredTestClass(), OnStages.class);
    }

    private static List<Stage> chosen(OnStages stages) {
        Set<Stage> chosen = Stage.chosen();
        return Arrays.stream(stages.value()).filter(chosen::contains).toList();
    }

    private record OnStage(Stage stage) implements ClassTemplateInvocationContext, ParameterResolver {
        @Override
        public String getDisplayName(int invocation) {
            return "on " + stage.label();
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return stage == Stage.SANDBOX ? List.of(this) : List.of(this, new SharedControlPlaneExtension());
        }

        @Override
        public void prepareInvocation(ExtensionContext invocation) {
            stage.enter(invocation);
        }

        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
            return parameter.getParameter().getType() == Stage.class;
        }

        @Override
        public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
            return stage;
        }
    }
}
