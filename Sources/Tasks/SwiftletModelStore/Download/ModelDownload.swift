/// The progress of a download, as an asynchronous sequence that ends with the installed model.
///
/// The download begins with the first iteration. Several iterations for the same model, even by several callers, share
/// one transfer, under the conditions of the first. If an iteration is cancelled or abandoned, the transfer continues
/// for the others, and is cancelled if there are none. The bytes transferred so far are kept, and the next download
/// resumes from there.
///
/// A slow consumer misses some steps but never the last one.
public struct ModelDownload: AsyncSequence, Sendable {
  /// A step of the download.
  public typealias Element = DownloadProgress

  let store: ModelStore
  let model: RemoteModel
  let conditions: DownloadConditions

  /// Returns an iteration of the download.
  public func makeAsyncIterator() -> Iterator { Iterator(download: self) }

  /// An iteration of a download.
  public struct Iterator: AsyncIteratorProtocol {
    private let download: ModelDownload
    private var updates: SharedDownload.Updates.Iterator?
    private var isOver = false

    fileprivate init(download: ModelDownload) { self.download = download }

    /// Returns the next step, or `nil` after the last.
    ///
    /// - Throws: ``ModelStoreError``; ``ModelStoreError/Code/cancelled`` if the task is cancelled.
    public mutating func next() async throws(ModelStoreError) -> DownloadProgress? {
      guard !isOver else { return nil }
      let progress: DownloadProgress?
      do throws(ModelStoreError) {
        progress = try await nextUpdate()
      } catch {
        isOver = true
        throw error
      }
      guard let progress else {
        isOver = true
        throw .cancelled
      }
      if case .installed = progress { isOver = true }
      return progress
    }

    /// Returns `nil` if the task is cancelled.
    private mutating func nextUpdate() async throws(ModelStoreError) -> DownloadProgress? {
      guard !Task.isCancelled else { return nil }
      var updates: SharedDownload.Updates.Iterator
      if let current = self.updates {
        updates = current
      } else {
        updates = await download.store.updates(of: download.model, download.conditions).makeAsyncIterator()
      }
      defer { self.updates = updates }
      do {
        return try await updates.next()
      } catch {
        throw .wrapping(error, as: .internalError)
      }
    }
  }
}

/// The networks that a download must not use. An empty set allows all networks.
///
/// Systems other than Apple's don't classify networks and ignore these conditions.
public struct DownloadConditions: OptionSet, Sendable {
  /// The raw bits of the set.
  public let rawValue: Int

  /// Creates a set from raw bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Excludes cellular networks.
  public static let noCellularNetwork = DownloadConditions(rawValue: 1)
  /// Excludes networks that the system considers expensive, such as a personal hotspot.
  public static let noExpensiveNetwork = DownloadConditions(rawValue: 2)
  /// Excludes networks in Low Data Mode.
  public static let noConstrainedNetwork = DownloadConditions(rawValue: 4)
}

/// A step of a download.
public enum DownloadProgress: Sendable {
  /// Another process, or another store, is working on the model and has locked its directory.
  case waiting
  /// The source is being queried for the newest version.
  case checking
  /// The file is being transferred.
  ///
  /// - Parameters:
  ///   - byteCount: The number of bytes on disk, including those of an interrupted download.
  ///   - total: The size of the file, or `nil` if the server doesn't report it.
  case downloading(byteCount: Int64, total: Int64?)
  /// All bytes are on disk and are being verified.
  case verifying
  /// The model is installed. This is the last step.
  case installed(InstalledModel)
}

/// The state of a remote model on this device.
public enum ModelState: Sendable {
  /// The model is not installed, and this store is not downloading it.
  case absent
  /// This store is downloading the model.
  case downloading(DownloadProgress)
  /// The model is installed.
  case installed(ModelRecord)
}
