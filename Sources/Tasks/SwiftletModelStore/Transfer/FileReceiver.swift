package import Foundation
import SwiftletBase

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// Appends the body of a response to the partial file, once the response turns out to be the file.
package final class FileReceiver: ExchangeReceiver {
  /// The result of the response.
  package enum Result {
    case nothing
    case notModified
    /// The requested range is not available.
    case rangeRefused
    case refused(HTTPURLResponse, Data)
    case body(FileBody)
  }

  /// The state of the file on disk.
  package struct FileBody {
    var handle: FileHandle
    package var received: Int64
    /// The size of the whole file, if it is known.
    var size: Int64?
    var etag: String?
    /// The end of this response's bytes in the file, if it is known.
    var end: Int64?
    /// Whether the response may end before the file does: it is only a part, or the end of its body is not delimited.
    var mayEndEarly = false
  }

  private let file: RemoteModelFile
  private let start: PartialFile.Start
  private let partial: PartialFile
  private let client: HTTPClient
  private let progress: @Sendable (Int64, Int64?) -> Void
  private let state = Mutex(Result.nothing)

  package init(
    _ file: RemoteModelFile, from start: PartialFile.Start, into partial: PartialFile, client: HTTPClient,
    progress: @escaping @Sendable (Int64, Int64?) -> Void
  ) {
    self.file = file
    self.start = start
    self.partial = partial
    self.client = client
    self.progress = progress
  }

  /// Ends the response. Nothing is written after this.
  package func close() -> Result {
    state.withLock { state in
      if case .body(let body) = state { try? body.handle.close() }
      defer { state = .nothing }
      return state
    }
  }

  package func begin(_ response: HTTPURLResponse) throws(ModelStoreError) -> ExpectedBody {
    let next = try beginning(response)
    state.withLock { $0 = next }
    switch next {
    case .body(let body):
      progress(body.received, body.size)
      return .content
    case .refused: return .explanation
    case .nothing, .notModified, .rangeRefused: return .none
    }
  }

  private func beginning(_ response: HTTPURLResponse) throws(ModelStoreError) -> Result {
    switch response.statusCode {
    case 206: return try continuing(response)
    case 200..<300:
      let length = try BodyLength(response)
      // Without a length or chunks, a truncated body looks complete, and half a model would look like a whole one.
      guard length.isDelimited || file.size != nil || file.sha256 != nil else {
        throw unexpected("does not state the file size; to download the file anyway, specify the model's SHA-256")
      }
      let size = try checkedSize(length.byteCount)
      let validators = Self.validators(response)
      let handle = try partial.begin(file, size: size, validators: validators)
      client.environment.reached(.noted, 0)
      return .body(
        FileBody(handle: handle, received: 0, size: size, etag: validators.etag, mayEndEarly: !length.isDelimited))
    case 304: return .notModified
    case 416 where start.offset > 0: return .rangeRefused
    default: return .refused(response, Data())
    }
  }

  /// Handles the rest of the file, or a part of it. If the part is of another version, or not the requested one, the
  /// whole file is requested instead.
  private func continuing(_ response: HTTPURLResponse) throws(ModelStoreError) -> Result {
    guard start.offset > 0 else { throw unexpected("sends a part of the file, but the whole file was requested") }
    let range = try ContentRange(response)
    let length = try BodyLength(response)
    let validators = Self.validators(response)
    guard start.isContinued(by: validators), range.first == start.offset,
      start.size == nil || range.total == nil || start.size == range.total,
      range.end <= start.size ?? .max, length.byteCount == nil || length.byteCount == range.end - range.first
    else { return .rangeRefused }
    let size = try checkedSize(range.total ?? start.size ?? range.end)
    return .body(
      FileBody(
        handle: try partial.open(), received: start.offset, size: size, etag: validators.etag ?? start.validators.etag,
        end: range.end, mayEndEarly: true))
  }

  /// Returns the size of the whole file, if the server, the source, and the limits agree.
  private func checkedSize(_ said: Int64?) throws(ModelStoreError) -> Int64? {
    if let said, let expected = file.size, said != expected {
      throw ModelStoreError(.sizeMismatch, "\(place) has \(said) bytes, but the model has \(expected)")
    }
    guard let size = said ?? file.size else { return nil }
    try Self.checkLimits(size, file: place, folder: partial.folder, start: start.offset, client: client)
    return size
  }

  /// Checks the size of a file.
  ///
  /// - Throws: `ModelStoreError` for a size above the store's limit, or if there is not enough disk space.
  static func checkLimits(
    _ size: Int64, file: String, folder: ModelFolder, start: Int64, client: HTTPClient
  ) throws(ModelStoreError) {
    let limit = client.options.modelByteLimit
    guard size <= limit else {
      throw ModelStoreError(.tooLarge, "\(file.excerpt) has \(size) bytes; the store accepts models of up to \(limit)")
    }
    if let free = client.environment.freeByteCount(folder.path), size - start > free {
      throw ModelStoreError(
        .notEnoughSpace,
        "\(file.excerpt) needs \(size - start) bytes, the disk of \(folder.path.excerpt) has \(free) left")
    }
  }

  package func receive(_ bytes: Data) throws(ModelStoreError) {
    let written: (Int64, Int64?)?
    do {
      written = try state.withLock { state -> (Int64, Int64?)? in
        switch state {
        case .refused(let response, let start):
          state = .refused(response, start + bytes.prefix(HTTPClient.maximumExplanation - start.count))
          return nil
        case .body(var body):
          let most = body.end ?? body.size ?? client.options.modelByteLimit
          let (received, isTooLarge) = body.received.addingReportingOverflow(Int64(bytes.count))
          body.received = received
          guard !isTooLarge, received <= most else {
            throw ModelStoreError(
              body.size == nil ? .tooLarge : .sizeMismatch, "\(place) sends more than \(most) bytes")
          }
          try body.handle.write(contentsOf: bytes)
          state = .body(body)
          return (body.received, body.size)
        case .nothing, .notModified, .rangeRefused: return nil
        }
      }
    } catch let error as ModelStoreError {
      try? partial.discard()
      throw error
    } catch {
      throw ModelFolder.failure(error, "\(partial.folder.partialDataPath.excerpt) cannot be written")
    }
    guard let (count, size) = written else { return }
    client.environment.reached(.received, count)
    progress(count, size)
  }

  private var place: String { HTTPClient.shown(file.url) }

  private func unexpected(_ what: String) -> ModelStoreError { ModelStoreError(.internalError, "\(place) \(what)") }

  private static func validators(_ response: HTTPURLResponse) -> PartialFile.Validators {
    PartialFile.Validators(
      etag: response.value(forHTTPHeaderField: "ETag"), modified: response.value(forHTTPHeaderField: "Last-Modified"))
  }
}

/// The length of a body according to the response headers.
private struct BodyLength {
  /// The length in bytes; `nil` if the server doesn't specify it.
  let byteCount: Int64?
  /// Whether a truncated body can be distinguished from a complete one.
  let isDelimited: Bool

  init(_ response: HTTPURLResponse) throws(ModelStoreError) {
    if let encoding = response.value(forHTTPHeaderField: "Content-Encoding"), encoding.lowercased() != "identity" {
      throw ModelStoreError(
        .internalError, "the server sends the file compressed (\(encoding.excerpt)), which was not requested")
    }
    guard let text = response.value(forHTTPHeaderField: "Content-Length") else {
      byteCount = nil
      isDelimited = response.value(forHTTPHeaderField: "Transfer-Encoding")?.lowercased().contains("chunked") ?? false
      return
    }
    guard let count = Int64(text), count >= 0 else {
      throw ModelStoreError(.internalError, "the server states an invalid length: '\(text.excerpt)'")
    }
    byteCount = count
    isDelimited = true
  }
}

/// The part of a file in a response with status 206: `bytes FIRST-LAST/TOTAL` (RFC 9110, section 14.4).
private struct ContentRange {
  let first: Int64
  /// The position after the last byte.
  let end: Int64
  /// The size of the whole file; `nil` if the server doesn't know it.
  let total: Int64?

  init(_ response: HTTPURLResponse) throws(ModelStoreError) {
    let text = response.value(forHTTPHeaderField: "Content-Range") ?? ""
    guard let match = text.wholeMatch(of: /bytes (\d+)-(\d+)\/(\d+|\*)/), let first = Int64(match.1),
      let last = Int64(match.2), first <= last, last < .max,
      match.3 == "*" || Int64(match.3).map({ $0 > last }) == true
    else {
      throw ModelStoreError(
        .internalError, "the server sends a part of the file but does not say which: '\(text.excerpt)'")
    }
    self.first = first
    end = last + 1
    total = Int64(match.3)
  }
}
