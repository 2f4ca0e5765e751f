package io.gpuvm.tests.conformance;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Opens one GPU for all tests, because opening one may take a second; gives each test a [Bench] on
/// it and sees to it that nothing of the test is left behind.
final class BenchExtension implements ParameterResolver, AfterEachCallback {
    private static final Namespace NAMESPACE = Namespace.create(BenchExtension.class);

    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Bench.class || type == SharedGpu.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        SharedGpu shared =
                context.getRoot()
                        .getStore(NAMESPACE)
                        .computeIfAbsent(SharedGpu.class, _ -> new SharedGpu(), SharedGpu.class);
        if (parameter.getParameter().getType() == SharedGpu.class) {
            return shared;
        }
        Bench bench = new Bench(shared);
        context.getStore(NAMESPACE).put(Bench.class, bench);
        return bench;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Bench bench = context.getStore(NAMESPACE).remove(Bench.class, Bench.class);
        if (bench != null) {
            bench.close();
        }
    }
}
