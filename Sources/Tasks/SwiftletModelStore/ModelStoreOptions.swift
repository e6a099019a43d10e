public import Foundation

/// The directory and limits of a ``ModelStore``.
///
/// Out-of-range times are clamped: a negative time counts as zero, and a time of more than a year as a year.
/// `stallTime` is at least 10 milliseconds.
public struct ModelStoreOptions: Sendable {
  /// The directory of all models. It is created when the first model is downloaded.
  public var directory: URL
  /// The maximum total size of all models, in bytes. When a new model is installed, the least recently used models are
  /// removed until the limit is met. Models in use and the new model are never removed.
  public var totalByteLimit: Int64 = 4 << 30
  /// The maximum size of a model, in bytes.
  public var modelByteLimit: Int64 = 2 << 30
  /// The maximum time for the next `stallByteCount` bytes from the server, including headers.
  public var stallTime: Duration = .seconds(30)
  /// The number of bytes that must arrive within `stallTime`; otherwise, the transfer has stalled.
  public var stallByteCount = 4096
  /// The maximum time for one transfer.
  public var transferTimeLimit: Duration = .seconds(600)
  /// The maximum time to wait for another process that is working on the same model. Meanwhile, the download reports
  /// ``DownloadProgress/waiting``.
  public var lockTimeLimit: Duration = .seconds(600)
  /// The delay before each retry if the server fails or the connection breaks, varied randomly by up to 20 %. If the
  /// server sends a `Retry-After` of at most `maximumRetryDelay`, it is used instead.
  public var retryDelays: [Duration] = [.seconds(1), .seconds(2), .seconds(4)]
  /// The maximum `Retry-After` to wait for.
  public var maximumRetryDelay: Duration = .seconds(60)
  /// A Boolean value that indicates whether `http` URLs on this machine (`localhost`, `127.0.0.1`, `::1`) are allowed,
  /// for test servers and mirrors behind a tunnel.
  public var allowsLoopbackHTTP = false

  /// Creates options with the default limits.
  ///
  /// - Parameter directory: The directory of all models.
  public init(directory: URL = ModelStoreOptions.defaultDirectory) { self.directory = directory }

  /// The default directory: `Application Support/swiftlet/models` on Apple's systems, except tvOS, which only has
  /// `Caches`; on other systems `$XDG_DATA_HOME/swiftlet/models`, by default in `~/.local/share`.
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

/// The dependencies of the store on its environment: time, random numbers, and free disk space. A hook is called at
/// each step, so that tests can stop the store there.
package struct StoreEnvironment: Sendable {
  /// The steps that change the state on disk.
  package enum Step: String, Sendable, CaseIterable {
    case noted, received, verified, synced, renamed, recorded, cleaned
  }

  package var now: @Sendable () -> Date = { Date() }
  package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  /// A closure that returns a random number from -1 to 1.
  package var jitter: @Sendable () -> Double = { Double.random(in: -1...1) }
  /// A closure that returns the free bytes on the disk of a directory, or `nil` if they are not known.
  package var freeByteCount: @Sendable (String) -> Int64? = SystemCalls.freeByteCount(of:)
  package var reached: @Sendable (Step, Int64) -> Void = { _, _ in }

  package init() {}
}
