public import Foundation

/// The folder and limits of a ``ModelStore``.
///
/// Any value is taken: a time below zero counts as zero, one above a year as a year, and `stallTime` as 10 milliseconds
/// at least.
public struct ModelStoreOptions: Sendable {
  /// The folder of all models. It is made when the first one is downloaded.
  public var directory: URL
  /// The most bytes that all models may have together: when a new one is installed, the least recently used go until
  /// they do. Models in use and the new one stay in any case.
  public var totalByteLimit: Int64 = 4 << 30
  /// The most bytes that a model may have.
  public var modelByteLimit: Int64 = 2 << 30
  /// The time that a server may take for the next `stallByteCount` bytes, headers included.
  public var stallTime: Duration = .seconds(30)
  /// The number of bytes that must arrive within `stallTime`, or the transfer counts as stalled.
  public var stallByteCount = 4096
  /// The most time that one transfer may take.
  public var transferTimeLimit: Duration = .seconds(600)
  /// The most time to wait for another process that works on the same model. The download reports
  /// ``DownloadProgress/waiting`` meanwhile.
  public var lockTimeLimit: Duration = .seconds(600)
  /// The delays before each retry, when the server fails or the connection breaks; each is varied by a fifth. A
  /// server's `Retry-After` is kept to instead, if it is below `maximumRetryDelay`.
  public var retryDelays: [Duration] = [.seconds(1), .seconds(2), .seconds(4)]
  /// The longest `Retry-After` that is waited for.
  public var maximumRetryDelay: Duration = .seconds(60)
  /// Whether `http` addresses on this machine (`localhost`, `127.0.0.1`, `::1`) are allowed: for servers of tests, and
  /// mirrors behind a tunnel.
  public var allowsLoopbackHTTP = false

  /// Creates options with the default limits.
  ///
  /// - Parameter directory: The folder of all models.
  public init(directory: URL = ModelStoreOptions.defaultDirectory) { self.directory = directory }

  /// `Application Support/swiftlet/models` on Apple's systems (`Caches` on tvOS, which has no other place); elsewhere
  /// `$XDG_DATA_HOME/swiftlet/models`, by default in `~/.local/share`.
  public static var defaultDirectory: URL {
    #if os(tvOS)
      let base = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
    #elseif canImport(Darwin)
      let base = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
    #else
      let named = ProcessInfo.processInfo.environment["XDG_DATA_HOME"].flatMap {
        $0.hasPrefix("/") ? URL(fileURLWithPath: $0, isDirectory: true) : nil
      }
      let base: URL? =
        named
        ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".local/share", isDirectory: true)
    #endif
    return (base ?? FileManager.default.temporaryDirectory).appendingPathComponent("swiftlet/models", isDirectory: true)
  }
}

/// What the store takes from its surroundings: time, random numbers, the disk's free space; and a hook that is called
/// at each step, for tests that stop it there.
package struct StoreEnvironment: Sendable {
  /// The steps after which the state on disk differs.
  package enum Step: String, Sendable, CaseIterable {
    case noted, received, verified, synced, renamed, recorded, cleaned
  }

  package var now: @Sendable () -> Date = { Date() }
  package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// From -1 to 1.
  package var jitter: @Sendable () -> Double = { Double.random(in: -1...1) }
  /// The free bytes of the disk that a folder is on, `nil` where that cannot be told.
  package var freeByteCount: @Sendable (String) -> Int64? = SystemCalls.freeByteCount(of:)
  package var reached: @Sendable (Step, Int64) -> Void = { _, _ in }

  package init() {}
}
