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
