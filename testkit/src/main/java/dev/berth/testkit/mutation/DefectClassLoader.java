package dev.berth.testkit.mutation;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Loads the classes of Berth and of its tests a second time, with a defect planted in one of them. All other classes
 * come from the parent loader.
 */
final class DefectClassLoader extends ClassLoader {
    private static final String PACKAGE_PREFIX = "dev.berth.";

    static {
        registerAsParallelCapable();
    }

    private final Optional<Defect> defect;
    private final List<Path> folders;

    /**
     * @param defect empty to load the product unchanged
     * @param folders the folders with classes that the parent loader does not know
     */
    DefectClassLoader(Optional<Defect> defect, List<Path> folders) {
        super(DefectClassLoader.class.getClassLoader());
        this.defect = defect;
        this.folders = folders;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(PACKAGE_PREFIX)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            @Nullable Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] code = read(name);
        Optional<Defect> here = defect.filter(it -> it.className().equals(name));
        byte[] wanted = here.map(it -> DefectWeaver.weave(it, code)).orElse(code);
        // Without a code source: then no coverage is measured for the changed classes.
        return defineClass(name, wanted, 0, wanted.length);
    }

    private byte[] read(String name) throws ClassNotFoundException {
        String path = name.replace('.', '/') + ".class";
        try (InputStream in = getParent().getResourceAsStream(path)) {
            if (in != null) {
                return in.readAllBytes();
            }
            for (Path folder : folders) {
                if (Files.exists(folder.resolve(path))) {
                    return Files.readAllBytes(folder.resolve(path));
                }
            }
        } catch (IOException broken) {
            throw new ClassNotFoundException(name, broken);
        }
        throw new ClassNotFoundException(
                "%s is neither on the class path nor in %s. Compile the tests of all modules before"
                        .formatted(name, folders));
    }
}
