/// The steps of a download, as an asynchronous sequence that ends with the installed model.
///
/// The download begins with the first iteration. Several iterations of the same model, also by several callers, share
/// one transfer, under the conditions of the first. An iteration that is cancelled or abandoned leaves the transfer, and
/// the transfer is cancelled if nobody is left. What was transferred so far is kept and resumed by the next download.
///
/// A slow reader misses steps but never the last one.
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

/// Networks that a download must not use. An empty set allows all networks.
///
/// Systems other than Apple's don't know what a network costs and ignore these conditions.
public struct DownloadConditions: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: Int

  /// Creates a set from its bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Mobile networks are not used.
  public static let noCellularNetwork = DownloadConditions(rawValue: 1)
  /// Networks that the system considers expensive, such as a personal hotspot, are not used.
  public static let noExpensiveNetwork = DownloadConditions(rawValue: 2)
  /// Networks in Low Data Mode are not used.
  public static let noConstrainedNetwork = DownloadConditions(rawValue: 4)
}

/// A step of a download.
public enum DownloadProgress: Sendable {
  /// Another process, or another store, works on the model and has locked its folder.
  case waiting
  /// The source is asked for the newest version.
  case checking
  /// The file is being transferred.
  ///
  /// - Parameters:
  ///   - byteCount: The bytes of the file that are there, with those of an interrupted download.
  ///   - total: The size of the file, or `nil` if the server doesn't tell it.
  case downloading(byteCount: Int64, total: Int64?)
  /// All bytes are there and are being checked.
  case verifying
  /// The model is installed. This is the last step.
  case installed(InstalledModel)
}

/// The state of a remote model on this device.
public enum ModelState: Sendable {
  /// The model is not installed, and this store does not download it.
  case absent
  /// This store downloads the model.
  case downloading(DownloadProgress)
  /// The model is installed.
  case installed(ModelRecord)
}
