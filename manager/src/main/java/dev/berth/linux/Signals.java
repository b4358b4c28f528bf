package dev.berth.linux;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Signals by which a process is told something: SIGHUP, SIGWINCH, SIGTSTP. */
public final class Signals {
  private Signals() {}

  /**
   * From now on, the signal calls this, on a thread of its own, and does what it did no more.
   *
   * <p>The JDK's own class for it is in the module jdk.unsupported, for which the compiler has a
   * warning that cannot be turned off; so it is looked up by its name.
   *
   * @param name without SIG, such as {@code HUP}
   * @param deed what it calls
   * @throws IllegalStateException where the JVM has no such class, or was told to leave signals
   *     alone
   */
  public static void calls(String name, Runnable deed) {
    try {
      MethodHandle run =
          MethodHandles.lookup()
              .findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
              .bindTo(deed);
      handle(
          name,
          MethodHandleProxies.asInterfaceInstance(
              handlerClass(), MethodHandles.dropArguments(run, 0, signalClass())));
    } catch (ReflectiveOperationException e) {
      throw unable(name, e);
    }
  }

  /**
   * From now on, the signal does again what the operating system does with it.
   *
   * @param name without SIG
   */
  public static void actsAsUsual(String name) {
    try {
      handle(name, handlerClass().getField("SIG_DFL").get(null));
    } catch (ReflectiveOperationException e) {
      throw unable(name, e);
    }
  }

  private static void handle(String name, Object handler) throws ReflectiveOperationException {
    Class<?> signal = signalClass();
    signal
        .getMethod("handle", signal, handlerClass())
        .invoke(null, signal.getConstructor(String.class).newInstance(name), handler);
  }

  private static Class<?> signalClass() throws ClassNotFoundException {
    return Class.forName("sun.misc.Signal");
  }

  private static Class<?> handlerClass() throws ClassNotFoundException {
    return Class.forName("sun.misc.SignalHandler");
  }

  private static IllegalStateException unable(String name, ReflectiveOperationException why) {
    return new IllegalStateException("SIG" + name + " cannot be handled by this JVM", why);
  }
}
