package dev.waybill.engine.capture;

import com.github.shyiko.mysql.binlog.io.BufferedSocketInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import javax.net.ssl.HandshakeCompletedListener;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Another socket, whose input is read through a buffer; to be read by one thread. */
final class BufferedTlsSocket extends SSLSocket {

  private final SSLSocket socket;
  private @Nullable InputStream input;

  BufferedTlsSocket(SSLSocket socket) {
    this.socket = socket;
  }

  @Override
  public synchronized InputStream getInputStream() throws IOException {
    InputStream buffered = input;
    if (buffered == null) {
      buffered = new BufferedSocketInputStream(socket.getInputStream());
      input = buffered;
    }
    return buffered;
  }

  @Override
  public OutputStream getOutputStream() throws IOException {
    return socket.getOutputStream();
  }

  @Override
  public void startHandshake() throws IOException {
    socket.startHandshake();
  }

  @Override
  public SSLSession getSession() {
    return socket.getSession();
  }

  @Override
  public InetAddress getInetAddress() {
    return socket.getInetAddress();
  }

  @Override
  public int getPort() {
    return socket.getPort();
  }

  @Override
  public int getLocalPort() {
    return socket.getLocalPort();
  }

  @Override
  public InetAddress getLocalAddress() {
    return socket.getLocalAddress();
  }

  @Override
  public SocketAddress getRemoteSocketAddress() {
    return socket.getRemoteSocketAddress();
  }

  @Override
  public boolean isConnected() {
    return socket.isConnected();
  }

  @Override
  public boolean isClosed() {
    return socket.isClosed();
  }

  @Override
  public synchronized void close() throws IOException {
    socket.close();
  }

  @Override
  public void shutdownInput() throws IOException {
    socket.shutdownInput();
  }

  @Override
  public void shutdownOutput() throws IOException {
    socket.shutdownOutput();
  }

  @Override
  public void setSoLinger(boolean on, int linger) throws SocketException {
    socket.setSoLinger(on, linger);
  }

  @Override
  public synchronized void setSoTimeout(int timeout) throws SocketException {
    socket.setSoTimeout(timeout);
  }

  @Override
  public synchronized int getSoTimeout() throws SocketException {
    return socket.getSoTimeout();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return socket.getSupportedCipherSuites();
  }

  @Override
  public String[] getEnabledCipherSuites() {
    return socket.getEnabledCipherSuites();
  }

  @Override
  public void setEnabledCipherSuites(String[] suites) {
    socket.setEnabledCipherSuites(suites);
  }

  @Override
  public String[] getSupportedProtocols() {
    return socket.getSupportedProtocols();
  }

  @Override
  public String[] getEnabledProtocols() {
    return socket.getEnabledProtocols();
  }

  @Override
  public void setEnabledProtocols(String[] protocols) {
    socket.setEnabledProtocols(protocols);
  }

  @Override
  public void addHandshakeCompletedListener(HandshakeCompletedListener listener) {
    socket.addHandshakeCompletedListener(listener);
  }

  @Override
  public void removeHandshakeCompletedListener(HandshakeCompletedListener listener) {
    socket.removeHandshakeCompletedListener(listener);
  }

  @Override
  public void setUseClientMode(boolean mode) {
    socket.setUseClientMode(mode);
  }

  @Override
  public boolean getUseClientMode() {
    return socket.getUseClientMode();
  }

  @Override
  public void setNeedClientAuth(boolean need) {
    socket.setNeedClientAuth(need);
  }

  @Override
  public boolean getNeedClientAuth() {
    return socket.getNeedClientAuth();
  }

  @Override
  public void setWantClientAuth(boolean want) {
    socket.setWantClientAuth(want);
  }

  @Override
  public boolean getWantClientAuth() {
    return socket.getWantClientAuth();
  }

  @Override
  public void setEnableSessionCreation(boolean flag) {
    socket.setEnableSessionCreation(flag);
  }

  @Override
  public boolean getEnableSessionCreation() {
    return socket.getEnableSessionCreation();
  }

  @Override
  public String toString() {
    return socket.toString();
  }
}
