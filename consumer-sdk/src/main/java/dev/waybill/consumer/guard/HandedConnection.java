package dev.waybill.consumer.guard;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The connection as the handler gets it: everything works but ending the transaction, and nothing
 * works after the handler has returned, since the pool may have given the connection to somebody
 * else by then. Statements and metadata lead back to it, not to the connection behind it.
 *
 * <p>Proxies, because JDBC's interfaces differ between JDKs and pass 50 methods; the cost per call
 * is far below that of the statement's round trip.
 */
final class HandedConnection implements InvocationHandler {

  private static final Set<String> REFUSED =
      Set.of("commit", "close", "abort", "setAutoCommit", "setTransactionIsolation");

  private final Connection behind;
  private final String eventId;
  private final Connection handed;
  private volatile boolean ended;

  HandedConnection(Connection behind, String eventId) {
    this.behind = behind;
    this.eventId = eventId;
    this.handed = proxy(Connection.class, this);
  }

  Connection toHandler() {
    return handed;
  }

  void end() {
    ended = true;
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    String name = method.getName();
    if (method.getDeclaringClass() == Object.class) {
      return ofObject(proxy, method, arguments);
    }
    if (REFUSED.contains(name) || (name.equals("rollback") && arguments == null)) {
      throw new IllegalStateException(
          "A handler may not call %s on the connection of its event (%s): the consumer ends the"
                  .formatted(name, eventId)
              + " transaction; the event counts as failed unless the handler catches this");
    }
    if (ended) {
      return afterTheEnd(name);
    }
    return wrap(call(behind, method, arguments));
  }

  private Object ofObject(Object proxy, Method method, Object @Nullable [] arguments) {
    return switch (method.getName()) {
      case "equals" -> arguments != null && proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> "connection of event " + eventId + " (" + behind + ")";
    };
  }

  private Object afterTheEnd(String name) {
    if (name.equals("isClosed")) {
      return true;
    }
    if (name.equals("isValid")) {
      return false;
    }
    throw new IllegalStateException(
        "The transaction of event %s is over, %s came too late: a connection must not be used after"
                .formatted(eventId, name)
            + " the handler has returned");
  }

  private @Nullable Object wrap(@Nullable Object result) {
    if (result instanceof CallableStatement) {
      return leadingBack(CallableStatement.class, result);
    }
    if (result instanceof PreparedStatement) {
      return leadingBack(PreparedStatement.class, result);
    }
    if (result instanceof Statement) {
      return leadingBack(Statement.class, result);
    }
    return result instanceof DatabaseMetaData
        ? leadingBack(DatabaseMetaData.class, result)
        : result;
  }

  private <T> T leadingBack(Class<T> type, Object target) {
    return proxy(
        type,
        (proxy, method, arguments) ->
            method.getName().equals("getConnection") ? handed : call(target, method, arguments));
  }

  private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            HandedConnection.class.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
