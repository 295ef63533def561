package dev.berth.testkit.mutation;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.Method;

/**
 * Replaces a method by a call of {@link PlantedDefects#instead}. The original body is kept under another name, so that
 * a faulty body can call it in most cases.
 */
final class DefectWeaver extends ClassVisitor {
    private static final int API = Opcodes.ASM9;
    private static final Method INSTEAD = Method.getMethod("Object instead(String, Class, Object, Object[])");

    private final Defect defect;
    private final List<String> methodsOfSameName = new ArrayList<>();
    private Type owner = Type.VOID_TYPE;
    private int wovenMethods;

    private DefectWeaver(Defect defect, ClassWriter out) {
        super(API, out);
        this.defect = defect;
    }

    static byte[] weave(Defect defect, byte[] code) {
        ClassWriter out = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        DefectWeaver defectWeaver = new DefectWeaver(defect, out);
        new ClassReader(code).accept(defectWeaver, 0);
        if (defectWeaver.wovenMethods != 1) {
            throw new UnusableDefectException(
                    "defect %s cannot be planted: %s has no method (%s), but %s. Plant the defect in what has become of it"
                            .formatted(
                                    defect.id(), defect.className(), defect.method(), defectWeaver.methodsOfSameName));
        }
        return out.toByteArray();
    }

    @Override
    public void visit(
            int version,
            int access,
            String name,
            @Nullable String signature,
            @Nullable String superName,
            String @Nullable [] interfaces) {
        owner = Type.getObjectType(name);
        super.visit(version, access, name, signature, superName, interfaces);
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        if (name.equals(defect.methodName())) {
            methodsOfSameName.add(signature(name, descriptor));
        }
        if (!signature(name, descriptor).equals(defect.method()) || (access & Opcodes.ACC_BRIDGE) != 0) {
            return super.visitMethod(access, name, descriptor, signature, exceptions);
        }
        wovenMethods++;
        GeneratorAdapter body = new GeneratorAdapter(
                super.visitMethod(access, name, descriptor, signature, exceptions), access, name, descriptor);
        writeCall(body, Modifier.isStatic(access), Type.getReturnType(descriptor));
        return super.visitMethod(access, name + InterceptedCall.ORIGINAL_SUFFIX, descriptor, signature, exceptions);
    }

    private void writeCall(GeneratorAdapter body, boolean isStatic, Type result) {
        body.visitCode();
        body.push(defect.id());
        body.push(owner);
        if (isStatic) {
            body.push((String) null);
        } else {
            body.loadThis();
        }
        body.loadArgArray();
        body.invokeStatic(Type.getType(PlantedDefects.class), INSTEAD);
        if (result.equals(Type.VOID_TYPE)) {
            body.pop();
        } else {
            body.unbox(result);
        }
        body.returnValue();
        body.endMethod();
    }

    private static String signature(String name, String descriptor) {
        String parameters = Arrays.stream(Type.getArgumentTypes(descriptor))
                .map(DefectWeaver::signature)
                .collect(Collectors.joining(", "));
        return "%s %s(%s)".formatted(signature(Type.getReturnType(descriptor)), name, parameters);
    }

    private static String signature(Type type) {
        String name = type.getClassName();
        return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
    }
}
