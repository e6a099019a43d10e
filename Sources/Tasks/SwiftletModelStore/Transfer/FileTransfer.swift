import Foundation
import SwiftletBase

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Transfers a file to the directory of its model, and resumes an interrupted transfer.
struct FileTransfer: Sendable {
  enum Outcome {
    /// The installed version is still the newest.
    case notModified
    /// All bytes are on disk, but not verified yet.
    case complete(etag: String?)
  }

  let file: RemoteModelFile
  let partial: PartialFile
  let client: HTTPClient
  /// Receives the number of bytes on disk, and the total.
  let progress: @Sendable (Int64, Int64?) -> Void

  /// Runs the transfer.
  ///
  /// - Throws: `ModelStoreError.Code.expiredAddress` if the source should be queried for another URL.
  func run() async throws(ModelStoreError) -> Outcome {
    if file.isLocalFileAllowed, file.url.isFileURL { return try copy() }
    return try await client.retries.run { () async throws(ModelStoreError) in try await attempt() }
  }

  private func attempt() async throws(ModelStoreError) -> Outcome {
    let start = partial.start(for: file)
    if start.offset > 0, start.offset == start.size { return .complete(etag: start.etag) }
    let receiver = FileReceiver(file, from: start, into: partial, client: client, progress: progress)
    defer { _ = receiver.close() }
    try await client.exchange(request(from: start), receiver)
    switch receiver.close() {
    case .nothing:
      throw ModelStoreError(.internalError, "\(HTTPClient.shown(file.url)) sent no answer", retry: .afterDelay)
    case .notModified:
      guard file.knownETag != nil, start.offset == 0 else {
        throw ModelStoreError(
          .internalError,
          "\(HTTPClient.shown(file.url)) reports that the file has not changed, but the request was not conditional")
      }
      return .notModified
    case .rangeRefused:
      try partial.discard()
      throw ModelStoreError(
        .internalError, "\(HTTPClient.shown(file.url)) does not send the rest of a file that it began to send",
        retry: .anew)
    case .refused(let response, let body): throw refusal(response, body)
    case .body(let body):
      if let size = body.size, body.received < size, body.mayEndEarly {
        throw ModelStoreError(
          .truncated,
          "\(HTTPClient.shown(file.url)): \(body.received) of \(size) bytes came before the connection ended",
          retry: .afterDelay)
      }
      return .complete(etag: body.etag)
    }
  }

  private func request(from start: PartialFile.Start) -> URLRequest {
    var request = URLRequest(url: file.url)
    for (field, value) in file.headers { request.setValue(value, forHTTPHeaderField: field) }
    if start.offset > 0 {
      request.setValue("bytes=\(start.offset)-", forHTTPHeaderField: "Range")
      if let etag = start.etag { request.setValue(etag, forHTTPHeaderField: "If-Range") }
    } else if let etag = file.knownETag {
      request.setValue(etag, forHTTPHeaderField: "If-None-Match")
    }
    return request
  }

  private func refusal(_ response: HTTPURLResponse, _ body: Data) -> ModelStoreError {
    if response.statusCode == 400, let expires = file.expires, expires < client.environment.now() {
      return ModelStoreError(
        .expiredAddress, "\(HTTPClient.shown(file.url)) was valid until \(expires) and is refused now")
    }
    return HTTPDocument(response, body: body, url: file.url).error
  }

  /// Copies the file from a mirror on this device.
  private func copy() throws(ModelStoreError) -> Outcome {
    let path = file.url.path
    guard let size = PathKind.byteCount(of: path, followsLinks: true) else {
      throw ModelStoreError(.notFound, "there is no file \(path.excerpt)")
    }
    try FileReceiver.checkLimits(size, file: path, folder: partial.folder, start: 0, client: client)
    do {
      let source = try FileHandle(forReadingFrom: file.url)
      let target = try partial.begin(file, size: size)
      var count: Int64 = 0
      while let bytes = try source.read(upToCount: 1 << 20), !bytes.isEmpty {
        try Task.checkCancellation()
        // Another process may be writing to the file.
        guard Int64(bytes.count) <= size - count else {
          throw ModelStoreError(.sizeMismatch, "\(path.excerpt) has more than the \(size) bytes that it had")
        }
        try target.write(contentsOf: bytes)
        count += Int64(bytes.count)
        progress(count, size)
      }
      try target.close()
    } catch {
      if let error = error as? ModelStoreError { throw error }
      throw error is CancellationError ? .cancelled : ModelFolder.failure(error, "\(path.excerpt) cannot be copied")
    }
    return .complete(etag: nil)
  }
}
