import Foundation
import SwiftletBase

/// The work of one download: queries the source, transfers the file, and installs it.
struct ModelFetch: Sendable {
  let model: RemoteModel
  let folder: ModelFolder
  let client: HTTPClient
  let report: @Sendable (DownloadProgress) -> Void

  /// Installs the newest version, unless it is installed already.
  func run() async throws(ModelStoreError) {
    guard !model.name.isEmpty else { throw ModelStoreError(.emptyModelName, "a remote model must have a name") }
    let lock = try await lockFolder()
    defer { SystemCalls.unlock(lock) }
    try await client.retries.withoutDelays.run { () async throws(ModelStoreError) in try await fetch() }
  }

  private func fetch() async throws(ModelStoreError) {
    report(.checking)
    let known = folder.record()
    if let sha256 = model.sha256 {
      guard SHA256.isHexDigest(sha256) else {
        throw ModelStoreError(.invalidArgument, "a SHA-256 has 64 hexadecimal digits, got '\(sha256.excerpt)'")
      }
      if let known, known.sha256 == sha256 { return installer.removeAllBut(known) }
    }
    switch try await resolve(known) {
    case .notModified:
      guard let known, model.sha256 == nil else {
        throw ModelStoreError(
          .internalError,
          "the source of the model '\(model.name.excerpt)' reports that it has not changed, but it is not installed")
      }
      installer.removeAllBut(known)
    case .file(let file):
      try await fetch(file, known: known)
    }
  }

  private var installer: ModelInstaller { ModelInstaller(folder: folder, environment: client.environment) }

  private func resolve(_ known: ModelRecord?) async throws(ModelStoreError) -> ModelResolution {
    do {
      return try await model.source.resolve(
        ModelQuery(modelName: model.name, sha256: model.sha256, installed: known, client: client))
    } catch {
      throw Task.isCancelled ? .cancelled : error
    }
  }

  private func fetch(_ file: RemoteModelFile, known: ModelRecord?) async throws(ModelStoreError) {
    report(.downloading(byteCount: 0, total: file.size))
    let partial = PartialFile(folder: folder)
    let isResumed = partial.start(for: file).offset > 0
    let transfer = FileTransfer(file: file, partial: partial, client: client) {
      report(.downloading(byteCount: $0, total: $1))
    }
    switch try await outcome(of: transfer) {
    case .notModified:
      guard let known else {
        throw ModelStoreError(
          .internalError, "\(HTTPClient.shown(file.url)) reports that the file has not changed, but it is not installed"
        )
      }
      installer.removeAllBut(known)
    case .complete(let etag):
      report(.verifying)
      do {
        try installer.install(file, sha256: model.sha256, etag: etag)
      } catch {
        // The bytes left by an interrupted download may be from another file, so start again from scratch.
        throw error.code == .hashMismatch && isResumed
          ? ModelStoreError(error.code, error.message, retry: .anew) : error
      }
    }
  }

  private func outcome(of transfer: FileTransfer) async throws(ModelStoreError) -> FileTransfer.Outcome {
    do {
      return try await transfer.run()
    } catch  where error.code == .expiredAddress {
      // Query the source for another URL.
      throw ModelStoreError(error.code, error.message, retry: .anew)
    }
  }

  /// Locks the model's directory. One process at a time works on a model; the others wait, and then find it installed.
  private func lockFolder() async throws(ModelStoreError) -> Int32 {
    let limit = client.options.lockTimeLimit.bounded
    let start = ContinuousClock.now
    while true {
      // In every iteration, because another process may just have removed the directory to make room.
      try folder.make()
      if let lock = try SystemCalls.tryLock(folder.path, isShared: false) { return lock }
      guard ContinuousClock.now - start < limit else {
        throw ModelStoreError(
          .timedOut,
          "another process has locked \(folder.path.excerpt) for more than \(limit); end it, or try again when it is done"
        )
      }
      report(.waiting)
      do {
        try await Task.sleep(for: .milliseconds(50))
      } catch {
        throw .cancelled
      }
    }
  }
}
