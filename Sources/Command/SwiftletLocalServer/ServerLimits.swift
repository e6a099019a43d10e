/// The limits on the resources that clients of a server can use.
package struct ServerLimits: Sendable {
  /// The maximum size of the request line and all headers.
  package var headByteCount = 16 << 10
  /// The maximum size of a body.
  package var bodyByteCount = 512 << 20
  /// The maximum size of all bodies that are in memory at a time.
  package var totalBodyByteCount = 1 << 30
  /// The maximum number of connections. Each has a thread.
  package var connections = 64
  /// The maximum time for receiving a head, and for each megabyte of a body or response, however slowly bytes arrive.
  package var transferTime = Duration.seconds(10)
  /// The maximum time that a connection stays open between two requests.
  package var idleTime = Duration.seconds(60)

  package init() {}

  /// The maximum time for transferring a number of bytes.
  func time(for byteCount: Int) -> Duration { transferTime * (1 + byteCount >> 20) }
}
