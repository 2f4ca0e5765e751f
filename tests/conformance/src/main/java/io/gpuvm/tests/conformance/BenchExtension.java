package io.gpuvm.tests.conformance;

import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/// Extension that opens one GPU for all tests, because opening may take a second, and creates a
/// [Bench] on the GPU for each test. Checks that the test leaves no resources.
final class BenchExtension implements ParameterResolver, AfterEachCallback, ExecutionCondition {
    private static final Namespace NAMESPACE = Namespace.create(BenchExtension.class);

    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return reasonToSkip(context)
                .map(ConditionEvaluationResult::disabled)
                .orElse(ConditionEvaluationResult.enabled(null));
    }

    private static Optional<String> reasonToSkip(ExtensionContext context) {
        Optional<String> guests =
                AnnotationSupport.findAnnotation(context.getElement(), WholeGpuOnly.class)
                        .filter(_ -> gpu(context).place().isGuests())
                        .map(only -> "guest's GPU: " + only.value());
        return guests.or(() ->
                AnnotationSupport.findAnnotation(context.getElement(), UnsharedGpuOnly.class)
                        .filter(_ -> gpu(context).place().isShared())
                        .map(only -> "shared GPU: " + only.value()));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Bench.class || type == DrivenGpu.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        DrivenGpu gpu = gpu(context);
        gpu.place().beforeTest();
        if (parameter.getParameter().getType() == DrivenGpu.class) {
            return gpu;
        }
        Bench bench = new Bench(gpu);
        context.getStore(NAMESPACE).put(Bench.class, bench);
        return bench;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Bench bench = context.getStore(NAMESPACE).remove(Bench.class, Bench.class);
        try {
            if (bench != null) {
                bench.close();
            }
        } finally {
            gpu(context).place().afterTest();
        }
    }

    private static DrivenGpu gpu(ExtensionContext context) {
        return context.getRoot()
                .getStore(NAMESPACE)
                .computeIfAbsent(
                        DrivenGpu.class, _ -> new DrivenGpu(Place.ofProperty()), DrivenGpu.class);
    }
}
